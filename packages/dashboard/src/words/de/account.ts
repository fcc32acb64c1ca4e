import { type Words } from '../words';
export const account: Words['account'] = {};
