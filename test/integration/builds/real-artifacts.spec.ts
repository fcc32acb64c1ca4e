import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanText } from '#kernel/text/text';
import { BufferSource } from '../../support/artifacts/buffer-source';
import { installability } from '../../../src/modules/builds/catalogue/warnings/artifact-warnings';
import { ArtifactInspector } from '#infra/artifact-inspection/artifact-inspector';
import {
  type InspectedAndroid,
  type InspectedArtifact,
  type InspectedIpa,
} from '#infra/artifact-inspection/inspected-artifact';
import { readProvisioningProfile } from '#infra/artifact-inspection/ios/provisioning-profile';

/** Ground truth as other tools see it (aapt, apksigner, a plist reader); keys vary with the file. */
type Truth = Record<string, unknown> & { profile?: Record<string, unknown>; accept?: boolean | string };

const NOW = new Date('2026-11-20T00:00:00Z');
const folder = process.env.AGATE_FIXTURES;
const truths = (file: string): [string, Truth][] =>
  folder && existsSync(join(folder, file))
    ? Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, Truth>)
    : [];
const real = truths('expected.json');
const synthetic = truths('synthetic/expected.json').map(([name, truth]) => [`synthetic/${name}`, truth] as const);

const artifacts = [...real, ...synthetic].filter(([name]) => !name.endsWith('.mobileprovision'));
const profiles = real.filter(([name]) => name.endsWith('.mobileprovision'));
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

/** aapt writes numbers as text in one file of truths and as numbers in the other: all are compared as text. */
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

function expectTruth(facts: Record<string, unknown>, truth: Truth): void {
  for (const [key, value] of Object.entries(truth)) {
    if (key in facts && key !== 'profile') expect([key, asText(facts[key])]).toEqual([key, asText(value)]);
  }
  const { platform: _, ...profile } = truth.profile ?? {};
  if (truth.profile) expect(facts.profile).toEqual(profile);
}

/** What they may be refused for: a policy that the truths leave open. */
const REFUSED = ['android-bundle.apks', 'android.xapk', 'android-split-config.apk'];

(folder ? describe : describe.skip)('real artifacts in the folder AGATE_FIXTURES', () => {
  if (!folder) return void it('skipped: AGATE_FIXTURES names no folder', () => undefined);
  const inspector = new ArtifactInspector();
  const inspect = (name: string) => inspector.inspect(new BufferSource(readFileSync(join(folder, name))), name);

  it.each(artifacts.filter(([name]) => !REFUSED.some((refused) => name.endsWith(refused))))(
    '%s',
    async (name, truth) => {
      const artifact = await inspect(name);
      expect(truth.accept).not.toBe(false);
      expectTruth(factsOf(artifact), truth);
      // apksigner lists no v1 beside a newer scheme, which is what it verified: v1 may be there all the same.
      if (truth.schemes && artifact.signing?.platform === 'android') {
        const schemes = truth.schemes as string[];
        expect(artifact.signing.schemes.filter((scheme) => scheme !== 'v1' || schemes.includes('v1'))).toEqual(schemes);
      }
      if (Array.isArray(truth.cgbiIcons) && truth.cgbiIcons.length > 0)
        expect(artifact.icon?.mediaType).toBe('image/png');
      if (truth.icon) expect(artifact.icon).not.toBeNull();
      if (truth.icon === null) expect(artifact.icon).toBeNull();
    },
  );

  it.each(artifacts.filter(([name]) => REFUSED.some((refused) => name.endsWith(refused))))(
    'refuses %s',
    async (name, truth) => {
      expect(truth.accept).not.toBe(true);
      await expect(inspect(name)).rejects.toMatchObject({ errorCase: 'invalid_input' });
    },
  );

  it.each(profiles)('%s', (name, truth) => {
    const signing = readProvisioningProfile(readFileSync(join(folder, name)));
    expectTruth({ profile: profileFacts(signing) }, truth);
  });
});
