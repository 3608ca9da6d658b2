'use strict';
// Runs nodes through the engine of the n8n-core that is installed beside this file: a finding copies it
// into its folder. It holds no part of our node.
const assert = require('node:assert/strict');
const { createServer } = require('node:http');

// n8n-core reads these once, when it is first loaded.
process.env.N8N_USER_FOLDER = __dirname;
process.env.N8N_ENCRYPTION_KEY = 'a key for findings';
process.env.N8N_LOG_LEVEL = 'silent';
for (const name of Object.keys(process.env)) {
	if (/^(https?|all)_proxy$/i.test(name)) delete process.env[name];
}

const { Container } = require('@n8n/di');
const core = require('n8n-core');
const workflow = require('n8n-workflow');

const isVersion1 = core.WorkflowExecute.prototype.run.length > 1;
// n8n's own reporter prints the stack of each error.
Container.set(core.ErrorReporter, { error() {}, warn() {}, info() {} });

/**
 * Prints what a finding sees. Fails, with the difference, if that is not what is expected.
 *
 * @param look returns what it sees
 */
async function observe(look, expected) {
	try {
		const seen = await look();
		console.log(seen);
		assert.deepStrictEqual(seen, expected);
	} catch (error) {
		console.error(error);
		process.exitCode = 1;
	}
	// n8n-core keeps the process alive.
	process.exit();
}

/**
 * Starts an HTTP server that keeps what it receives in `requests`.
 *
 * @param respond gets a request, with its body, and returns `{ status, headers, body }`
 */
async function serve(respond = () => ({})) {
	const requests = [];
	const server = createServer(async (message, response) => {
		let body = '';
		for await (const chunk of message) body += chunk;
		const { method, url, headers } = message;
		const request = { method, url, headers, body };
		requests.push(request);
		const answer = await respond(request, requests.length);
		const type = { 'content-type': 'application/json' };
		response.writeHead(answer.status ?? 200, { ...type, ...answer.headers });
		response.end(answer.body ?? '{}');
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	server.unref();
	const url = `http://127.0.0.1:${server.address().port}`;
	return { url, requests };
}

/** Creates a node type; without `execute`, it is a declarative one that n8n's routing engine runs. */
function createType({ description = {}, ...methods }) {
	const base = {
		displayName: 'Node',
		name: 'node',
		group: ['transform'],
		version: 1,
		description: '',
	};
	const ends = { defaults: { name: 'Node' }, inputs: ['main'], outputs: ['main'], properties: [] };
	const type = { description: { ...base, ...ends, ...description }, ...methods };
	if (!type.execute) {
		type.execute = async function () {
			return (await new core.RoutingNode(this, type).runNode()) ?? [];
		};
	}
	return type;
}

/** What n8n passes to an execution besides its workflow. */
function createAdditionalData(credential) {
	return {
		executionId: 'execution',
		currentNodeExecutionIndex: 0,
		restApiUrl: 'https://n8n.example.com/rest',
		webhookWaitingBaseUrl: 'https://n8n.example.com/webhook-waiting',
		formWaitingBaseUrl: 'https://n8n.example.com/form-waiting',
		variables: {},
		setExecutionStatus() {},
		sendDataToUI() {},
		credentialsHelper: {
			authenticate: async (fields, type, options) => credential.authenticate(fields, options),
			getDecrypted: async () => ({ ...credential.fields }),
			getParentTypes: () => [],
			getCredentialsProperties: () => [],
			isCredentialUsableByNode: () => true,
			preAuthentication: async () => undefined,
			runPreAuthentication: async () => undefined,
		},
	};
}

/**
 * Runs a node after a source of items.
 *
 * @param settings of the node: onError, retryOnFail …
 * @param credential `authenticate` and `fields`; the node type names it "api"
 * @returns the items of the node's outputs, and the error that ended the execution
 */
async function run({ type, parameters = {}, items = [{ json: {} }], settings = {}, credential }) {
	const source = createType({ execute: async () => [items] });
	const types = { source, node: createType(type) };
	const nodeTypes = {
		getByName: (name) => types[name],
		getByNameAndVersion: (name) => types[name],
		getKnownTypes: () => ({}),
	};
	const place = { typeVersion: 1, position: [0, 0] };
	const credentials = credential && { api: { id: '1', name: 'API' } };
	const nodes = [
		{ ...place, id: '1', name: 'Source', type: 'source', parameters: {} },
		{ ...place, id: '2', name: 'Node', type: 'node', parameters, credentials, ...settings },
	];
	const connections = { Source: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } };
	const order = { executionOrder: 'v1', timezone: 'UTC' };
	const data = { id: 'workflow', name: 'Workflow', nodes, connections, settings: order };
	const flow = new workflow.Workflow({ ...data, active: false, nodeTypes });
	const additional = createAdditionalData(credential);
	additional.hooks = new core.ExecutionLifecycleHooks('manual', 'execution', data);
	const execution = new core.WorkflowExecute(additional, 'manual');
	const start = flow.getNode('Source');
	const result = await (isVersion1
		? execution.run(flow, start)
		: execution.run({ workflow: flow, startNode: start }));
	const { runData, error } = result.data.resultData;
	const task = runData.Node?.[0];
	return { outputs: task?.data?.main ?? [], items: task?.data?.main?.[0] ?? [], error };
}

/** Stores files on disk, as n8n 2 does, instead of in memory. */
async function storeFiles() {
	const config = Container.get(core.BinaryDataConfig);
	config.mode = 'filesystem';
	config.availableModes = ['filesystem'];
	await Container.get(core.BinaryDataService).init();
}

module.exports = { core, isVersion1, observe, run, serve, storeFiles, workflow };
