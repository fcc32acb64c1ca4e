import { type Words } from '../words';
export const project: Words['project'] = {};
