import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArtifact } from '#infra/artifact-inspection/reader/artifact-reader';
import { installability } from '#modules/builds';
import { BufferSource } from '../../../test/support/artifacts/buffer-source';
import { apkWith, ipaWith } from './demo-packages';

const NOW = new Date('2026-11-25T12:00:00Z');
const asset = (name: string): Buffer => readFileSync(join(__dirname, 'assets', name));

// red when: the signature of the package covers what is added
describe('the packages of the demo', () => {
  it.each([
    ['demo-1.0.apk', apkWith],
    ['demo-1.1.apk', apkWith],
    ['demo.ipa', ipaWith],
  ])('made of %s differ, and are installable', async (name, madeWith) => {
    const [one, other] = ['2.1.0 211', '2.2.0 220'].map((text) => madeWith(text, asset(name))) as [Buffer, Buffer];
    expect(one.equals(other)).toBe(false);
    for (const bytes of [one, other]) {
      const artifact = await readArtifact(new BufferSource(bytes), name);
      expect(installability(artifact, NOW)).toEqual({ installable: true, reason: null });
      if (artifact.signing?.platform === 'android')
        expect(artifact.signing).toMatchObject({ verification: { verified: true }, certificateVerified: true });
    }
  });
});
