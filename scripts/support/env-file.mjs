import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './project.mjs';

/** Reads `.env` of the project folder, which `npm run operator -- setup` writes. Variables that are set already win. */
export function loadEnvFile() {
  const file = path.join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}
