import { asset } from './asset';
import { buildProperties } from './properties';
import { speech } from './speech';
import { video } from './video';
import { voice } from './voice';

/** Resource, Operation and every field of the node; a shared field stands where the first of these has it. */
export const properties = buildProperties([voice, video, speech, asset]);
