import { type Words } from '../words';
export const storage: Words['storage'] = {};
