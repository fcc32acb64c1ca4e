import { cleanText } from '#kernel/text/text';
import { readCertificate } from '../formats/asn1/certificate';
import { readSignedData } from '../formats/asn1/der';
import { readPlist } from '../formats/plist/plist';
import { dateAt, dictAt, listAt, type PlistDict, type PlistValue, textAt, textsAt } from '../formats/plist/plist-value';
import { type ArtifactDetails, type Entitlement, type IosDistribution, type IosSigning } from '../inspected-artifact';
import { orNull } from '../inspection-errors';
import { LIMITS } from '../limits/limits';
import { type WorkBudget } from '../limits/work-budget';

/** The contents of a provisioning profile. */
export interface Provisioning extends Pick<ArtifactDetails, 'entitlements' | 'devices'> {
  readonly signing: IosSigning;
  /** The entitlements as they are in the profile. */
  readonly granted: PlistDict;
  /** The certificates that may sign, in DER. */
  readonly certificates: readonly Buffer[];
}

/** The signing of a package without a profile, or with an unreadable one. */
export const withoutProfile = (distribution: 'none' | 'simulator' | 'unknown'): Provisioning => ({
  signing: {
    platform: 'ios',
    distribution,
    profileName: null,
    teamId: null,
    teamName: null,
    applicationId: null,
    expiresAt: null,
    certificateExpiresAt: null,
    deviceCount: null,
    pushEnvironment: null,
  },
  entitlements: [],
  devices: null,
  granted: new Map(),
  certificates: [],
});

/**
 * Reads `embedded.mobileprovision`: a CMS SignedData with an XML plist. Apple does not document the format as an API (TN3125), so an
 * unreadable profile results in the distribution `unknown`. Only one that exceeds the budget rejects the artifact.
 */
export function readProvisioningProfile(bytes: Buffer, budget: WorkBudget): Provisioning {
  return (
    orNull(() => {
      const profile = readPlist(plistIn(bytes, budget), budget);
      return {
        signing: describe(profile),
        entitlements: entitlementsOf(profile),
        devices: devicesOf(profile),
        granted: dictAt(profile, 'Entitlements') ?? new Map<string, PlistValue>(),
        certificates: certificatesOf(profile),
      };
    }) ?? withoutProfile('unknown')
  );
}

/** The enclosed plist. When the CMS is unreadable, the first byte sequence that looks like an XML plist. */
function plistIn(bytes: Buffer, budget: WorkBudget): Buffer {
  const enclosed = orNull(() => readSignedData(bytes, budget).content);
  if (enclosed && enclosed.length > 0) return enclosed;
  const start = bytes.indexOf('<?xml');
  const closing = '</plist>';
  const end = start < 0 ? -1 : bytes.indexOf(closing, start);
  return end < 0 ? bytes : bytes.subarray(start, end + closing.length);
}

function describe(profile: PlistDict): IosSigning {
  const entitlements = dictAt(profile, 'Entitlements');
  const text = (value: string | null | undefined): string | null => cleanText(value ?? '', LIMITS.nameLength) || null;
  return {
    platform: 'ios',
    distribution: distributionOf(profile, entitlements),
    profileName: text(textAt(profile, 'Name')),
    teamId: text(textsAt(profile, 'TeamIdentifier')[0]),
    teamName: text(textAt(profile, 'TeamName')),
    applicationId: text(textAt(entitlements, 'application-identifier')),
    expiresAt: dateAt(profile, 'ExpirationDate'),
    certificateExpiresAt: latestExpiry(profile),
    deviceCount: profile.has('ProvisionedDevices') ? listAt(profile, 'ProvisionedDevices').length : null,
    pushEnvironment: text(textAt(entitlements, 'aps-environment')),
  };
}

const DEVICE_ID = /^[0-9A-Za-z-]{1,64}$/;

const devicesOf = (profile: PlistDict): readonly string[] | null =>
  profile.has('ProvisionedDevices')
    ? textsAt(profile, 'ProvisionedDevices')
        .filter((id) => DEVICE_ID.test(id))
        .slice(0, LIMITS.devices)
    : null;

/** The entitlements, sorted by key. Values that are neither a text nor a flag are left out. */
function entitlementsOf(profile: PlistDict): Entitlement[] {
  const granted = [...(dictAt(profile, 'Entitlements') ?? new Map<string, PlistValue>())];
  return granted
    .map(([key, value]) => ({ key: cleanText(key, LIMITS.nameLength), values: valuesOf(value) }))
    .filter(({ key }) => key !== '')
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, LIMITS.facts);
}

const valuesOf = (value: PlistValue): string[] =>
  (Array.isArray(value) ? value : [value])
    .flatMap((each) => (typeof each === 'string' || typeof each === 'boolean' ? [String(each)] : []))
    .slice(0, LIMITS.entitlementValues)
    .map((each) => cleanText(each, LIMITS.nameLength));

/** Tests `ProvisionsAllDevices` first: older App Store profiles differ from in-house profiles only in that key. */
function distributionOf(profile: PlistDict, entitlements: PlistDict | undefined): IosDistribution {
  if (profile.get('ProvisionsAllDevices') === true) return 'enterprise';
  if (!profile.has('ProvisionedDevices')) return 'appstore';
  return entitlements?.get('get-task-allow') === true ? 'development' : 'adhoc';
}

const certificatesOf = (profile: PlistDict): readonly Buffer[] =>
  listAt(profile, 'DeveloperCertificates').filter((der) => Buffer.isBuffer(der));

function latestExpiry(profile: PlistDict): Date | null {
  const moments = certificatesOf(profile)
    .slice(0, 20)
    .map((der) => orNull(() => readCertificate(der))?.expiresAt?.getTime())
    .filter((moment) => moment !== undefined);
  return moments.length > 0 ? new Date(Math.max(...moments)) : null;
}
