import { type Words } from '../words';
export const tokens: Words['tokens'] = {};
