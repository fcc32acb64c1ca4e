import { binaryPlist, binaryPlistOf, references, xmlPlist } from '../../../../../test/support/artifacts/plist-writer';
import { zip, type ZipFile } from '../../../../../test/support/artifacts/zip-writer';
import { readApp } from './read-app';

const INFO = 'Payload/Rocket.app/Info.plist';
const ROCKET = { CFBundleIdentifier: 'com.example.rocket', CFBundleName: 'Rocket' };

const ipa = (data: ZipFile['data'], lies: ZipFile['lies'] = {}): File =>
  new File([new Uint8Array(zip([{ name: INFO, data, lies }]))], 'Upload-1.0.ipa');

/** What is known of an app whose file is not read. */
const UNKNOWN = { bundleId: null, name: 'Upload' };

describe('readApp', () => {
  it.each([
    ['XML', xmlPlist(ROCKET)],
    ['binary', binaryPlist(ROCKET)],
  ])('finds the bundle id and the name in a list of properties in the %s form', async (_, plist) => {
    expect(await readApp(ipa(plist))).toEqual({ bundleId: 'com.example.rocket', name: 'Rocket' });
  });

  // red when: the number of properties is not limited: the browser stops
  it('does not read billions of properties', async () => {
    expect(await readApp(ipa(binaryPlistOf([references(0xd, 0xffff_ffff, [0])])))).toEqual(UNKNOWN);
  });

  // red when: the size that the archive names is trusted: the memory of the browser fills
  it('does not unpack more than the limit when the archive names a smaller size', async () => {
    const plist = xmlPlist(ROCKET) + ' '.repeat(17_000_000);
    expect(await readApp(ipa(plist, { sizeBytes: 100 }))).toEqual(UNKNOWN);
  });

  it('does not read a damaged archive', async () => {
    const whole = await ipa(xmlPlist(ROCKET)).arrayBuffer();
    for (const size of [0, 30, 100, whole.byteLength - 30, whole.byteLength - 1])
      expect(await readApp(new File([whole.slice(0, size)], 'Upload-1.0.ipa'))).toEqual(UNKNOWN);
  });
});
