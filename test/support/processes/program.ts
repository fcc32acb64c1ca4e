import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

export type ProgramForm = 'built' | 'sources';

/**
 * The arguments with which Node runs a program of the service: `main`, or `cli`, the operator console. By default it is the built one if
 * it was built from the present sources (scripts/test.mjs).
 */
export function programOf(
  name: 'main' | 'cli',
  form: ProgramForm = process.env['AGATE_TEST_BUILT'] ? 'built' : 'sources',
): string[] {
  if (form === 'built') return [join(ROOT, `dist/src/${name}.js`)];
  return ['--require', join(__dirname, 'run-typescript.cjs'), join(ROOT, `src/${name}.ts`)];
}
