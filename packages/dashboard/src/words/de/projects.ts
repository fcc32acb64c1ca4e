import { type Words } from '../words';
export const projects: Words['projects'] = {};
