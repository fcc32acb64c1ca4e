import { type Words } from '../words';
export const uploads: Words['uploads'] = {};
