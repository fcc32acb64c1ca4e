import { type Words } from '../words';
export const palette: Words['palette'] = {};
