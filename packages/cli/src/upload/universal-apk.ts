import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context } from '../context';
import { CliError, ExitCode, interruptedError, usageError } from '../output/cli-error';
import { type LocalFile } from './local-file';

/** Options of bundletool for the key that signs. Without a keystore, bundletool signs with the debug key of the machine. */
export interface SigningOptions {
  readonly ks?: string;
  readonly ksPass?: string;
  readonly ksKeyAlias?: string;
  readonly keyPass?: string;
}

/** The file that bundletool writes into its output folder. */
const UNIVERSAL_APK = 'universal.apk';
const BUNDLE = /\.aab$/i;

/**
 * Runs `work` with the files. For each Android app bundle it gets an APK that devices can install, which bundletool makes on this machine,
 * where the key is.
 * @throws CliError when no file is a bundle, or when bundletool fails.
 */
export async function withUniversalApks<Result>(
  context: Context,
  files: readonly LocalFile[],
  signing: SigningOptions,
  work: (files: readonly LocalFile[]) => Promise<Result>,
): Promise<Result> {
  if (!files.some(({ name }) => BUNDLE.test(name)))
    throw usageError('--universal-apk needs a file that ends with .aab.');
  const folder = mkdtempSync(join(tmpdir(), 'agate-apk-'));
  try {
    const made: LocalFile[] = [];
    for (const [index, file] of files.entries()) {
      made.push(
        BUNDLE.test(file.name) ? await universalApk(context, file, signing, join(folder, String(index))) : file,
      );
    }
    return await work(made);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function universalApk(
  context: Context,
  { path, name }: LocalFile,
  { ks, ksPass, ksKeyAlias, keyPass }: SigningOptions,
  output: string,
): Promise<LocalFile> {
  const key = { ks: ks, 'ks-pass': ksPass, 'ks-key-alias': ksKeyAlias, 'key-pass': keyPass };
  const args = Object.entries(key).flatMap(([option, value]) => (value === undefined ? [] : [`--${option}=${value}`]));
  context.output.say(`Making a universal APK of ${name}.`);
  await run(context, [
    'build-apks',
    '--mode=universal',
    '--output-format=DIRECTORY',
    `--bundle=${path}`,
    `--output=${output}`,
    ...args,
  ]);
  const apk = join(output, UNIVERSAL_APK);
  const found = statSync(apk, { throwIfNoEntry: false });
  if (!found) throw usageError(`bundletool made no ${UNIVERSAL_APK}. Use version 1.9 or later.`);
  return { path: apk, name: name.replace(BUNDLE, '.apk'), size: found.size };
}

/** Runs `BUNDLETOOL`, a jar or a command, else the command bundletool. Its output goes to standard error. */
function run({ environment, signal, output }: Context, args: readonly string[]): Promise<void> {
  const tool = environment['BUNDLETOOL'] || 'bundletool';
  const [command, ...first] = tool.endsWith('.jar') ? ['java', '-jar', tool] : [tool];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args], { stdio: ['ignore', 'pipe', 'pipe'], signal });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => output.say(text.trimEnd()));
    }
    child.once('error', ({ message }) => {
      const hint = 'Install it, or set BUNDLETOOL to its jar or command.';
      reject(signal.aborted ? interruptedError() : usageError(`bundletool cannot be run (${message}). ${hint}`));
    });
    child.once('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new CliError(
            ExitCode.refused,
            'bundletool_failed',
            `bundletool failed with exit code ${code}. Its output says why.`,
          ),
        );
    });
  });
}
