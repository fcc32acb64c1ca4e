import { type Words } from '../words';
export const members: Words['members'] = {};
