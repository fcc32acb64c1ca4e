import { build } from 'plist';
import { idFrom } from '#kernel/ids';

/** Apple's media type of configuration profiles. Only Safari opens them. */
export const PROFILE_CONTENT_TYPE = 'application/x-apple-aspen-config';

export interface EnrolmentProfile {
  /** The address to which the phone posts its answer. */
  readonly answerUrl: string;
  /** The phone repeats it in its signed answer. */
  readonly challenge: string;
  /** Shown in the settings of the phone. */
  readonly organization: string;
  readonly name: string;
  readonly description: string;
}

/**
 * A configuration profile that makes a phone post its id, model and system once (Apple, "Over-the-Air Profile Delivery": Profile Service).
 * It changes no setting, and nothing of it stays on the phone. It is not signed, so the phone says "Not Verified".
 */
export function enrolmentProfile({ answerUrl, challenge, organization, name, description }: EnrolmentProfile): string {
  return build(
    {
      PayloadContent: { URL: answerUrl, DeviceAttributes: ['UDID', 'PRODUCT', 'VERSION'], Challenge: challenge },
      PayloadOrganization: organization,
      PayloadDisplayName: name,
      PayloadDescription: description,
      PayloadVersion: 1,
      PayloadUUID: idFrom(`device-profile|${challenge}`).toUpperCase(),
      PayloadIdentifier: `agate.device.${idFrom(`device-profile|${answerUrl}`)}`,
      PayloadType: 'Profile Service',
    },
    { pretty: false },
  );
}
