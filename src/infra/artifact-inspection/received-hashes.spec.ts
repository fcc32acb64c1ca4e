import { createHash } from 'node:crypto';
import { ReceivedHasher } from './received-hashes';

const hashesOf = (fileName: string) => {
  const hasher = new ReceivedHasher(fileName);
  hasher.add(Buffer.from('the '));
  hasher.add(Buffer.from('app'));
  return hasher.result();
};

describe('ReceivedHasher', () => {
  it.each(['Setup.exe', 'Demo.zip', 'Demo.AppImage', 'demo.deb', 'demo.rpm', 'demo.pacman'])(
    'computes the SHA-512 of %s, which electron-updater installs',
    (name) => expect(hashesOf(name).sha512).toEqual(createHash('sha512').update('the app').digest()),
  );

  // red when: every file of a desktop has a SHA-512, which uploads would pay for
  it.each(['Demo.ipa', 'demo.apk', 'Demo.dmg', 'Demo.msi', 'demo.bin', 'zip'])('computes no SHA-512 of %s', (name) =>
    expect(hashesOf(name).sha512).toBeNull(),
  );

  it('computes the digests of chunks for an .apk only', () =>
    expect(['demo.apk', 'Demo.zip'].map((name) => hashesOf(name).chunks !== undefined)).toEqual([true, false]));
});
