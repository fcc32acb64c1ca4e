import { join } from 'node:path';
import { loadBundle } from '#app/start/bundle';

/** The program in one file, where the build puts it. Sources have none. */
const BUNDLE = join(__dirname, '..', 'service.js');

/* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports -- an import would load the modules beside the bundle of them */
const program = (loadBundle(BUNDLE) ?? require('#app/start/program')) as typeof import('#app/start/program');
program.run();
