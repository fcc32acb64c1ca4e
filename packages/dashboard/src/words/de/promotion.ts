import { type Words } from '../words';
export const promotion: Words['promotion'] = {};
