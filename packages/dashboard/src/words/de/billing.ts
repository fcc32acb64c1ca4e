import { type Words } from '../words';
export const billing: Words['billing'] = {};
