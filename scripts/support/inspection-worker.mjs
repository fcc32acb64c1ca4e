import { rmSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './project.mjs';

const WORKER = path.join('src', 'infra', 'artifact-inspection', 'worker', 'inspection-worker');

/**
 * Replaces the compiled worker of inspections by one file with everything that it imports. Every artifact is read in a new thread, which
 * would otherwise find, read and compile a hundred files.
 * @param output the folder of the compiled service.
 */
export async function bundleInspectionWorker(output) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: inRoot(`${WORKER}.ts`),
    platform: 'node',
    tsconfig: false,
    resolve: {
      alias: {
        '#kernel': inRoot('src', 'kernel'),
        '#infra': inRoot('src', 'infra'),
      },
    },
    transform: { target: 'node20' },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const file = path.join(output, `${WORKER}.js`);
  // Names are kept: they are in the stack of an error.
  const minify = { compress: true, mangle: false, codegen: true };
  await build.write({ file, format: 'cjs', codeSplitting: false, minify });
  await build.close();
  rmSync(`${file}.map`, { force: true });
}
