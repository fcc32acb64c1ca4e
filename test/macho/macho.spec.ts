import { execFile, execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type InspectedIpa } from '#infra/artifact-inspection/inspected-artifact';
import { readArtifact } from '#infra/artifact-inspection/reader/artifact-reader';
import { BufferSource } from '../support/artifacts/buffer-source';
import { fatExecutable } from '../support/artifacts/macho-writer';
import { signedIpa, type SignedIpaOptions } from '../support/artifacts/signed/signed-ipa';
import { profilePlist } from '../support/artifacts/valid-artifacts';

const run = promisify(execFile);
const SOURCE = 'int main(void) { return 42; }\n';

const inspect = async (options: SignedIpaOptions) =>
  (await readArtifact(new BufferSource(signedIpa(options)), 'demo.ipa')) as InspectedIpa;
const problemsOf = ({ code }: InspectedIpa) => code?.problems.map((problem) => problem.code);

describe('programs of clang and LLD', () => {
  let folder: string;
  const path = (name: string): string => join(folder, name);

  /** Makes a program for iOS devices, or the simulator. LLD signs without a certificate, as for a Mac of its own. */
  async function link(name: string, cpu: string, options: readonly string[] = [], platform = 'ios'): Promise<Buffer> {
    const system = platform === 'ios' ? 'ios15.0' : 'ios15.0-simulator';
    await run('clang-19', [`--target=${cpu}-apple-${system}`, '-c', path('main.c'), '-o', path(`${name}.o`)]);
    const target = ['-arch', cpu, '-platform_version', platform, '15.0', '17.0', '-undefined', 'dynamic_lookup'];
    await run('ld64.lld-19', [...target, ...options, '-o', path(name), path(`${name}.o`)]);
    return readFile(path(name));
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agate-macho-'));
    await writeFile(path('main.c'), SOURCE);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('have no certificate when the linker signs them', async () => {
    const program = await link('linked', 'arm64', ['-adhoc_codesign']);
    const app = await inspect({ executable: () => program });
    expect(problemsOf(app)).toEqual(['ad_hoc']);
    expect(app.executableUuids).toHaveLength(1);
  });

  it('have no signature when the linker does not sign them', async () => {
    const program = await link('unsigned', 'arm64', ['-no_adhoc_codesign']);
    expect(problemsOf(await inspect({ executable: () => program }))).toEqual(['unsigned']);
  });

  it('are recognized for the simulator', async () => {
    const program = await link('simulated', 'arm64', [], 'ios-simulator');
    expect(problemsOf(await inspect({ executable: () => program }))?.[0]).toBe('simulator');
  });

  it('are read in each architecture of a fat file', async () => {
    const slices = [
      await link('one', 'arm64', ['-no_adhoc_codesign']),
      await link('two', 'x86_64', [], 'ios-simulator'),
    ];
    const app = await inspect({ executable: () => fatExecutable(slices) });
    expect(problemsOf(app)).toEqual(['unsigned']);
    expect(app.executableUuids).toHaveLength(2);
  });
});

describe('CMS signatures of OpenSSL', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agate-cms-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  // Apple's signer writes signed attributes, as OpenSSL does.
  it.each([
    ['RSA', ['-newkey', 'rsa:2048']],
    ['ECDSA', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
  ])('verify with a key of %s, and not for another CodeDirectory', async (name, key) => {
    const [pem, keyFile, content] = ['cert.pem', 'key.pem', 'content'].map((file) => join(folder, name + file)) as [
      string,
      string,
      string,
    ];
    const subject = ['-subj', '/CN=Apple Distribution', '-days', '3000'];
    await run('openssl', ['req', '-x509', '-nodes', ...key, '-keyout', keyFile, '-out', pem, ...subject]);
    const own = new X509Certificate(readFileSync(pem)).raw;
    const profile = profilePlist({}).replace(
      /<array><data>[^<]*<\/data>/,
      `<array><data>${own.toString('base64')}</data>`,
    );
    const cms = (directory: Buffer): Buffer => {
      const input = ['-binary', '-outform', 'DER', '-signer', pem, '-inkey', keyFile, '-in', content];
      writeFileSync(content, directory);
      return execFileSync('openssl', ['cms', '-sign', '-md', 'sha256', ...input]);
    };
    const app = await inspect({ profile, code: { cms } });
    expect(problemsOf(app)).toEqual([]);
    expect(app.code?.checks).toEqual(expect.arrayContaining(['signer', 'certificate']));
    const other = await inspect({ profile, code: { cms: (directory) => cms(Buffer.concat([directory, directory])) } });
    expect(problemsOf(other)).toEqual(['signature_invalid']);
  });
});
