import { asset } from './asset';
import { propertiesOf } from './resource';
import { speech } from './speech';
import { video } from './video';
import { voice } from './voice';

/** Resource, Operation and every field of the node. */
export const properties = propertiesOf([asset, speech, video, voice]);
