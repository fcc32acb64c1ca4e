import { existsSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { constants, Script } from 'node:vm';

type ModuleFunction = (exports: object, require: NodeJS.Require, module: object, file: string, folder: string) => void;

/**
 * Runs a CommonJS file that contains only ASCII, with the compiled code in `<file>.cache` if this version of Node can use it. Compiling
 * the modules of the service is most of the time of its start.
 * @returns the exports, or `null` when there is no such file.
 */
export function loadBundle(file: string): unknown {
  if (!existsSync(file)) return null;
  return compileBundle(file, existsSync(`${file}.cache`) ? readFileSync(`${file}.cache`) : undefined).exports;
}

/** Runs a bundle. @returns its exports, and its script, which creates the compiled code of the functions that ran. */
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
