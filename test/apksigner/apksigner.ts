import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Java for a program that ends in a moment: it compiles little and needs no threads for its memory. */
const SHORT_LIVED = { ...process.env, JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

const PASSWORD = 'pass:password';

/** Whether `apksigner` (Debian's package of this name) verifies a package. */
export async function verifiedByApksigner(folder: string, bytes: Buffer): Promise<boolean> {
  const file = join(folder, `${randomUUID()}.apk`);
  await writeFile(file, bytes);
  try {
    return await run('apksigner', ['verify', file], { env: SHORT_LIVED }).then(
      () => true,
      () => false,
    );
  } finally {
    await rm(file);
  }
}

/** Makes a key with the `keytool` of Java. @returns its file. */
export async function makeKey(folder: string, name: string, options: readonly string[]): Promise<string> {
  const file = join(folder, `${name}.p12`);
  const subject = `CN=${name}, O=Agate, C=DE`;
  await run('keytool', [
    ...['-genkeypair', '-keystore', file, '-storetype', 'PKCS12', '-storepass', 'password', '-alias', 'key'],
    ...['-dname', subject, '-validity', '10000', ...options],
  ]);
  return file;
}

const signer = (key: string): string[] => ['--ks', key, '--ks-pass', PASSWORD, '--ks-key-alias', 'key'];

/** Makes the proof that one key replaces another one. @returns its file. */
export async function makeLineage(folder: string, oldKey: string, newKey: string): Promise<string> {
  const file = join(folder, 'lineage');
  const keys = ['--old-signer', ...signer(oldKey), '--new-signer', ...signer(newKey)];
  await run('apksigner', ['rotate', '--out', file, ...keys]);
  return file;
}

/** Signs a package in place. @param keys of all signers. */
export async function sign(file: string, keys: readonly string[], options: readonly string[]): Promise<void> {
  // Names of v1 signatures, which must differ.
  const named = (key: string, at: number): string[] => [...signer(key), '--v1-signer-name', `SIGNER${at}`];
  const signers = keys.flatMap((key, at) => [...(at > 0 ? ['--next-signer'] : []), ...named(key, at)]);
  await run('apksigner', ['sign', ...options, '--v4-signing-enabled', 'false', ...signers, file]);
}

/** Signs a package in place with the `jarsigner` of Java, which knows algorithms that `apksigner` does not use. */
export async function signAsJar(file: string, key: string, options: readonly string[]): Promise<void> {
  await run('jarsigner', ['-keystore', key, '-storepass', 'password', ...options, file, 'key']);
}
