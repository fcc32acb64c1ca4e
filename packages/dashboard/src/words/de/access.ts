import { type Words } from '../words';
export const access: Words['access'] = {};
