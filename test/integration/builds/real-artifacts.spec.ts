import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cleanText } from '#kernel/text/text';
import { ArtifactInspector } from '#infra/artifact-inspection/artifact-inspector';
import {
  type InspectedAndroid,
  type InspectedArtifact,
  type InspectedIpa,
} from '#infra/artifact-inspection/inspected-artifact';
import { readProvisioningProfile } from '#infra/artifact-inspection/ios/provisioning-profile';
import { WorkBudget } from '#infra/artifact-inspection/limits/work-budget';
import { installability } from '../../../src/modules/builds/catalogue/warnings/artifact-warnings';
import { BufferSource } from '../../support/artifacts/buffer-source';

/** The expected metadata, from other tools (aapt, apksigner, a plist reader). Keys vary by file. */
type Expected = Record<string, unknown> & { profile?: Record<string, unknown>; accept?: boolean | string };

const NOW = new Date('2026-11-20T00:00:00Z');
/** Apps in the repository, and those of an optional folder that has the same form. */
const SAMPLES = join(__dirname, '../../fixtures/artifacts');
const folder = process.env.AGATE_FIXTURES;
/** The path of each file, with its expected metadata. */
const expectedOf = (root: string | undefined, file: string): [string, Expected][] => {
  const list = join(root ?? '', file);
  if (root === undefined || !existsSync(list)) return [];
  const expected = JSON.parse(readFileSync(list, 'utf8')) as Record<string, Expected>;
  return Object.entries(expected).map(([name, facts]) => [join(dirname(list), name), facts]);
};
const all = [
  ...expectedOf(SAMPLES, 'expected.json'),
  ...expectedOf(folder, 'expected.json'),
  ...expectedOf(folder, 'synthetic/expected.json'),
];
const artifacts = all.filter(([path]) => !path.endsWith('.mobileprovision'));
const profiles = all.filter(([path]) => path.endsWith('.mobileprovision'));
const FAMILIES = { iphone: 1, ipad: 2, tv: 3, watch: 4, vision: 7 } as const;
const NO_DATE = new Date(0);

const iosFacts = (app: InspectedIpa): Record<string, unknown> => ({
  minOS: app.minOsVersion,
  families: app.deviceFamilies.map((family) => FAMILIES[family]),
  deviceFamilies: app.deviceFamilies,
  platform: app.target,
  distribution: app.signing.distribution,
  devices: app.signing.deviceCount ?? 0,
  expired: (app.signing.expiresAt ?? NO_DATE) <= NOW,
  profile: profileFacts(app.signing),
});

const profileFacts = (signing: InspectedIpa['signing']): Record<string, unknown> => ({
  kind: signing.distribution,
  name: signing.profileName,
  team: signing.teamId,
  expires: signing.expiresAt?.toISOString().replace('.000Z', 'Z'),
  devices: signing.deviceCount,
  appId: signing.applicationId,
});

/** Compares numbers as text, because aapt writes them as text in one file and as numbers in the other. */
const androidFacts = ({ signing, ...app }: InspectedAndroid): Record<string, unknown> => ({
  package: app.bundleId,
  versionCode: app.buildNumber,
  versionName: app.version,
  minSdk: app.minSdk,
  targetSdk: app.targetSdk,
  debuggable: app.debuggable,
  abis: app.abis,
  nativeCode: app.abis.length > 0 ? app.abis.map((abi) => `'${abi}'`).join(' ') : null,
  platform: app.platform,
  signed: signing.schemes.length > 0,
  certSha256: [signing.certificateSha256],
  certDN: [signing.certificateSubject],
});

const factsOf = (artifact: InspectedArtifact): Record<string, unknown> => ({
  bundleId: artifact.bundleId,
  version: artifact.version,
  build: artifact.buildNumber,
  name: artifact.name,
  title: artifact.name,
  label: artifact.name,
  otaInstallable: installability(artifact, NOW).installable,
  ...(artifact.kind === 'ipa' ? iosFacts(artifact) : artifact.kind === 'other' ? {} : androidFacts(artifact)),
});

const asText = (value: unknown): unknown =>
  typeof value === 'number' ? String(value) : typeof value === 'string' ? cleanText(value, 200) : value;

function expectFacts(facts: Record<string, unknown>, expected: Expected): void {
  for (const [key, value] of Object.entries(expected)) {
    if (key in facts && key !== 'profile') expect([key, asText(facts[key])]).toEqual([key, asText(value)]);
  }
  const { platform: _, ...profile } = expected.profile ?? {};
  if (expected.profile) expect(facts.profile).toEqual(profile);
}

/** Files that this service rejects although other tools read them. */
const REJECTED = ['android-bundle.apks', 'android.xapk', 'android-split-config.apk'];

describe('inspection of real artifacts', () => {
  const inspector = new ArtifactInspector();
  const inspect = (path: string) =>
    inspector.inspect(new BufferSource(readFileSync(path)), basename(path), { lane: path });

  it.each(artifacts.filter(([name]) => !REJECTED.some((rejected) => name.endsWith(rejected))))(
    'reads the expected metadata of %s',
    async (name, expected) => {
      const artifact = await inspect(name);
      expect(expected.accept).not.toBe(false);
      expectFacts(factsOf(artifact), expected);
      // apksigner does not list v1 when it verified a newer scheme, although v1 may be present.
      if (expected.schemes && artifact.signing?.platform === 'android') {
        const schemes = expected.schemes as string[];
        expect(artifact.signing.schemes.filter((scheme) => scheme !== 'v1' || schemes.includes('v1'))).toEqual(schemes);
      }
      if (Array.isArray(expected.cgbiIcons) && expected.cgbiIcons.length > 0)
        expect(artifact.icon?.mediaType).toBe('image/png');
      if (expected.icon) expect(artifact.icon).not.toBeNull();
      if (expected.icon === null) expect(artifact.icon).toBeNull();
    },
  );

  // Only the folder of AGATE_FIXTURES has such files.
  const rejected = artifacts.filter(([name]) => REJECTED.some((each) => name.endsWith(each)));
  if (rejected.length > 0) {
    it.each(rejected)('rejects %s', async (name, expected) => {
      expect(expected.accept).not.toBe(true);
      await expect(inspect(name)).rejects.toMatchObject({ errorCase: 'invalid_input' });
    });
  }
  if (profiles.length > 0) {
    it.each(profiles)('reads the expected signing of %s', (path, expected) => {
      const { signing } = readProvisioningProfile(readFileSync(path), new WorkBudget());
      expectFacts({ profile: profileFacts(signing) }, expected);
    });
  }
});
