import type { INodeProperties } from 'n8n-workflow';

import { AvatarStudioApi } from '../../credentials/AvatarStudioApi.credentials';
import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import { events } from '../support/events';
import { getNestedProperties, getOptions, operations } from '../support/operations';

/** What only selects the operation, the event or the node's version is part of the path or fixed. */
const SELECTORS = ['resource', 'operation', 'event', '@version'];

const ADVICE =
	'Saved workflows hold it, so put it back. To change it for new workflows only, see "Other changes" in CONTRIBUTING.md. If no release has it, delete its line in test/description/interface.json.';

/**
 * Describes all that saved workflows refer to, one line each, so that an addition changes no line:
 * a field with its type and default, each of its choices or modes, and each condition that shows it.
 */
export function describeInterface(): string[] {
	const node = new AvatarStudio().description;
	const trigger = new AvatarStudioTrigger().description;
	const credential = new AvatarStudioApi();
	const [resource, ...fields] = node.properties;
	const lines = [
		...[node, trigger].flatMap(({ name, version }) =>
			[version].flat().map((it) => `${name}, version ${it}`),
		),
		...describeField(node.name, resource!),
		...fields
			.filter(({ name }) => name === 'operation')
			.flatMap((field) =>
				describeField((field.displayOptions!.show!.resource as string[]).join(), field),
			),
		...operations.flatMap((it) =>
			describeFields(`${it.resource.value}.${it.operation.value}`, it.fields),
		),
		...describeField(trigger.name, trigger.properties[0]!),
		...events.flatMap((it) => describeFields(`${trigger.name}.${it.option.value}`, it.fields)),
		...describeFields(credential.name, credential.properties),
	];
	return [...new Set(lines)];
}

/** Says of each saved line that the nodes do not have any more what there is instead, and what to do. */
export function findBreaks(saved: string[], present: string[]): string[] {
	return saved
		.filter((line) => !present.includes(line))
		.map((line) => {
			const start = /^[^:= ]+[:= ]+/.exec(line)?.[0] ?? line;
			const others = present.filter((other) => other.startsWith(start));
			const instead = others.map((other) => `"${other}"`).join(', ') || 'nothing';
			return `"${line}" is gone. There is: ${instead}. ${ADVICE}`;
		});
}

function describeFields(path: string, fields: INodeProperties[]): string[] {
	return fields
		.filter(({ type }) => type !== 'notice')
		.flatMap((field) => describeField(path, field));
}

function describeField(parent: string, field: INodeProperties): string[] {
	const { name, type, default: preset, modes = [], displayOptions = {} } = field;
	const path = `${parent}.${name}`;
	const value = type === 'collection' ? '' : ` ${JSON.stringify(preset)}`;
	const shown = Object.entries(displayOptions.show ?? {});
	const conditions = shown.filter(([condition]) => !SELECTORS.includes(condition));
	const isConditional = conditions.length > 0 ? `, if ${conditions.map(([it]) => it).join()}` : '';
	return [
		`${path}: ${type}${value}${isConditional}`,
		...modes.map((mode) => `${path} in mode ${mode.name}`),
		...getOptions(field).map((option) => `${path} = ${String(option.value)}`),
		...conditions.flatMap(([condition, values = []]) =>
			values.map((it) => `${path} if ${condition} = ${JSON.stringify(it)}`),
		),
		...describeFields(path, getNestedProperties(field)),
	];
}
