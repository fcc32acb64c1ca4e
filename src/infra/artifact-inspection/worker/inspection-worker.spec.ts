import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BufferSource } from '../../../../test/support/artifacts/buffer-source';
import { apk, ipa } from '../../../../test/support/artifacts/valid-artifacts';
import { readArtifact } from '../reader/artifact-reader';
import { type WorkerInput, type WorkerMessage } from './protocol';

const ROOT = join(__dirname, '../../../..');
const BUNDLER = join(ROOT, 'scripts/support/inspection-worker.mjs');
const BUNDLE = 'src/infra/artifact-inspection/worker/inspection-worker.js';

describe('the bundled worker', () => {
  let folder: string;
  let file: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'agate-worker-'));
    file = join(folder, BUNDLE);
    const program = `import(${JSON.stringify(BUNDLER)}).then((bundler) => bundler.bundleInspectionWorker(${JSON.stringify(folder)}))`;
    execFileSync(process.execPath, ['--eval', program], { cwd: ROOT });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const inspect = (fileName: string, bytes: Buffer): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const input: WorkerInput = { fileName, sizeBytes: bytes.length, chunkDigests: undefined };
      const worker = new Worker(file);
      worker.postMessage(input);
      worker.on('error', reject);
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'read') {
          worker.postMessage(Uint8Array.from(bytes.subarray(message.offset, message.offset + message.length)));
        } else {
          resolve(message.type === 'inspected' ? message.artifact : message.message);
          void worker.terminate();
        }
      });
    });

  // red when: a library is left outside the bundle
  it('loads nothing but modules of Node', () => {
    const required = [...readFileSync(file, 'utf8').matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name);
    expect(required).toContain('node:worker_threads');
    expect(required.filter((name) => !isBuiltin(name))).toEqual([]);
  });

  it.each([
    ['demo.ipa', ipa()],
    ['demo.apk', apk({ abis: ['x86'] })],
  ])('returns the same metadata of %s as readArtifact', async (fileName, bytes) => {
    const expected = await readArtifact(new BufferSource(bytes), fileName);
    expect(await inspect(fileName, bytes)).toEqual(structuredClone(expected));
  });
});
