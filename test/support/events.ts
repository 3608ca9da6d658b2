import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import type { Field } from '../../nodes/AvatarStudio/execution/field';
import { EVENTS } from '../../nodes/AvatarStudio/trigger/events';

import { getOptions } from './operations';

/** An event of the trigger as its description declares it. */
export interface DescribedEvent {
	/** Such as "Trigger On: New Asset". */
	label: string;
	option: INodePropertyOptions;
	/** The fields that the editor shows for it. */
	fields: INodeProperties[];
	/** The same as the event declares them. */
	declared: Field[];
	parameters: INodeParameters;
}

const [choice, ...properties] = new AvatarStudioTrigger().description.properties.filter(
	({ type }) => type !== 'hidden',
);

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
		parameters: { [name]: option.value },
	};
});
