import { asset } from './asset';
import { buildProperties } from './properties';
import { speech } from './speech';
import { video } from './video';
import { voice } from './voice';

/** Resource, Operation and all fields of the node, in the order the editor shows the fields. */
export const properties = buildProperties([voice, video, speech, asset]);
