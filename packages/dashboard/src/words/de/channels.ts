import { type Words } from '../words';
export const channels: Words['channels'] = {};
