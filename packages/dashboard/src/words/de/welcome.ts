import { type Words } from '../words';
export const welcome: Words['welcome'] = {};
