import { randomUUID } from 'node:crypto';
import plist from 'plist';
import { type DemoBuild } from './demo-build';
import * as der from './der';
import { makeSigner } from './self-signed-certificate';

const TEAM = 'AGATEDEMO0';
const DEVICES = ['00008110-000A11CE00DE0001', '00008120-000B0B0000DE0002'];
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const DATA = '1.2.840.113549.1.7.1';

/**
 * An ad hoc profile for two devices that do not exist, valid for a year: a property list in a CMS SignedData message
 * (RFC 5652 §5), as `embedded.mobileprovision` holds it. Nobody signs it, Apple alone could.
 */
export function provisioningProfile({ name, bundleId, builtAt }: DemoBuild): Buffer {
  const expiresAt = new Date(builtAt);
  expiresAt.setUTCFullYear(builtAt.getUTCFullYear() + 1);
  const profile = plist.build({
    AppIDName: name,
    ApplicationIdentifierPrefix: [TEAM],
    CreationDate: builtAt,
    DeveloperCertificates: [makeSigner('Apple Distribution: Agate Demo', builtAt).certificate],
    Entitlements: {
      'application-identifier': `${TEAM}.${bundleId}`,
      'com.apple.developer.team-identifier': TEAM,
      'get-task-allow': false,
      'keychain-access-groups': [`${TEAM}.*`],
    },
    ExpirationDate: expiresAt,
    Name: `${name} Ad Hoc`,
    Platform: ['iOS'],
    ProvisionedDevices: DEVICES,
    TeamIdentifier: [TEAM],
    TeamName: 'Agate Demo',
    TimeToLive: 365,
    UUID: randomUUID(),
    Version: 1,
  });
  const content = der.sequence(der.objectIdentifier(DATA), der.explicit(0, der.octetString(Buffer.from(profile))));
  const signedData = der.sequence(der.integer(Buffer.from([1])), der.setOf(), content, der.setOf());
  return der.sequence(der.objectIdentifier(SIGNED_DATA), der.explicit(0, signedData));
}
