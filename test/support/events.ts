import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import { EVENTS } from '../../nodes/AvatarStudio/trigger/events';

import { TRIGGER } from './engine/parts';
import { type Described, getOptions } from './operations';

/** An event of the trigger as its description declares it, with a label such as "Trigger On: New Asset". */
interface DescribedEvent extends Described {
	label: string;
	option: INodePropertyOptions;
}

const all = new AvatarStudioTrigger().description.properties;
const [choice, ...properties] = all.filter(({ type }) => type !== 'hidden');

/** Every event of the trigger in the order of the editor, for tests that cover all of them. */
export const events = getOptions(choice!).map((option): DescribedEvent => {
	const { name, displayName } = choice!;
	const isShown = ({ displayOptions }: INodeProperties) =>
		displayOptions?.show?.[name]?.includes(option.value) ?? false;
	return {
		label: `${displayName}: ${option.name}`,
		option,
		fields: properties.filter(isShown),
		declared: EVENTS.find(({ value }) => value === option.value)!.fields,
		nodeType: TRIGGER,
		parameters: { [name]: option.value },
	};
});
