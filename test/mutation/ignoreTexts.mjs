import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** A text of several words is one for the user: docs/reference.md and the tests of messages show it. */
const ignoreTexts = {
	/** @param {import('@babel/core').NodePath} path */
	shouldIgnore: (path) => {
		const texts = path.isStringLiteral()
			? [path.node.value]
			: path.isTemplateLiteral()
				? path.node.quasis.map(({ value }) => value.raw)
				: [];
		return texts.some((text) => /\w,? \w/.test(text)) ? 'A text for the user' : undefined;
	},
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'texts', ignoreTexts)];
