import { type Words } from '../words';
export const builds: Words['builds'] = {};
