import { type Words } from '../words';
export const audit: Words['audit'] = {};
