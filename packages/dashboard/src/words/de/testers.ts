import { type Words } from '../words';
export const testers: Words['testers'] = {};
