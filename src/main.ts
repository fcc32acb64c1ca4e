import { join } from 'node:path';
import { loadBundle } from './bundle';

/** The program in one file, where the build puts it. Sources have none. */
const BUNDLE = join(__dirname, '..', 'service.js');
type Program = typeof import('./program');

// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load the modules beside the bundle of them
const program = (loadBundle(BUNDLE) ?? require('./program')) as Program;
program.run();
