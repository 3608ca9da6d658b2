import { asset } from './asset';
import { avatar } from './avatar';
import type { Resource } from './operation';
import { speech } from './speech';
import { video } from './video';
import { voice } from './voice';

/** In the order in which the editor lists them; the first is selected in a new node. */
export const resources: Resource[] = [video, speech, avatar, voice, asset];
