import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Options of Java for a program that ends in a moment: it compiles little and needs no threads for its memory. */
const SHORT_LIVED = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

const runJava = (program: string, options: readonly string[], java = SHORT_LIVED) =>
  run(program, options, { env: { ...process.env, JAVA_TOOL_OPTIONS: java } });

/** The classes of apksigner as Java has loaded them, which halves the time of a start. Java ignores a file that it cannot use. */
const classesIn = (folder: string): string => join(folder, 'apksigner.jsa');

/** Keeps the classes for `verifiedByApksigner`. @param file a package, which is verified. */
export async function keepClasses(folder: string, file: string): Promise<void> {
  await runJava('apksigner', ['verify', file], `${SHORT_LIVED} -XX:ArchiveClassesAtExit=${classesIn(folder)}`);
}

const PASSWORD = 'pass:password';

/** Whether `apksigner` (Debian's package of this name) verifies a package. */
export async function verifiedByApksigner(folder: string, bytes: Buffer): Promise<boolean> {
  const file = join(folder, `${randomUUID()}.apk`);
  await writeFile(file, bytes);
  try {
    const java = `${SHORT_LIVED} -XX:SharedArchiveFile=${classesIn(folder)}`;
    return await runJava('apksigner', ['verify', file], java).then(
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
  // A key of 4096 bits is worth compiling for.
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
  await runJava('apksigner', ['rotate', '--out', file, ...keys]);
  return file;
}

/** Signs a package in place. @param keys of all signers. */
export async function sign(file: string, keys: readonly string[], options: readonly string[]): Promise<void> {
  // Names of v1 signatures, which must differ.
  const named = (key: string, at: number): string[] => [...signer(key), '--v1-signer-name', `SIGNER${at}`];
  const signers = keys.flatMap((key, at) => [...(at > 0 ? ['--next-signer'] : []), ...named(key, at)]);
  await runJava('apksigner', ['sign', ...options, '--v4-signing-enabled', 'false', ...signers, file]);
}

/** Signs a package in place with the `jarsigner` of Java, which knows algorithms that `apksigner` does not use. */
export async function signAsJar(file: string, key: string, options: readonly string[]): Promise<void> {
  await runJava('jarsigner', ['-keystore', key, '-storepass', 'password', ...options, file, 'key']);
}
