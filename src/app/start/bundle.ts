import { existsSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';
import type * as Program from './program';

type ModuleFunction = (exports: object, require: NodeJS.Require, module: object, file: string, folder: string) => void;

/** The path at which the build puts the program. Sources have no bundle. */
const BUNDLE = join(__dirname, '../../../service.js');

/**
 * Loads the program: from the bundle, with the compiled code in `service.js.cache` if this version of Node can use it, else from its
 * modules. Compiling the modules is most of the time of a start.
 */
export function loadProgram(): typeof Program {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load the modules although the bundle contains them
  if (!existsSync(BUNDLE)) return require('./program') as typeof Program;
  const compiled = existsSync(`${BUNDLE}.cache`) ? readFileSync(`${BUNDLE}.cache`) : undefined;
  return compileBundle(BUNDLE, compiled).exports as typeof Program;
}

/**
 * Runs a bundle, a CommonJS file that contains only ASCII. @returns its exports, and its script, which creates the compiled code of the
 * functions that ran.
 */
export function compileBundle(file: string, cachedData?: Buffer): { exports: unknown; script: Script } {
  // A string of one byte per character.
  const source = Module.wrap(readFileSync(file, 'latin1'));
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = new Script(source, { filename: file, importModuleDynamically, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  const run = script.runInThisContext() as ModuleFunction;
  run(module.exports, createRequire(file), module, file, dirname(file));
  return { exports: module.exports, script };
}
