import { isUdid } from '#kernel/builds/udid';
import { AppError } from '#kernel/errors/app-error';
import { cleanText } from '#kernel/text/text';
import { readSignedPlist } from '#infra/artifact-inspection/formats/cms/signed-plist';
import { type PlistDict, textAt } from '#infra/artifact-inspection/formats/plist/plist-value';

/** The answer of a phone to an enrolment profile. */
export interface DeviceStatement {
  readonly udid: string;
  /** Apple's code of the model. */
  readonly product: string | null;
  readonly osVersion: string | null;
}

/** Codes of models and builds of systems are much shorter. */
const MAX_CODE = 64;

/**
 * Reads the signed answer of a phone. The signature proves that the answer was not changed. It does not prove who made it, because any
 * certificate is accepted: the id is what the sender states.
 * @throws AppError invalid_input when the answer is malformed, its signature does not match, or it is for another ticket.
 */
export function readDeviceStatement(bytes: Buffer, ticket: string): DeviceStatement {
  const answer = signedPlist(bytes);
  if ((textAt(answer, 'CHALLENGE') ?? textAt(answer, 'Challenge')) !== ticket) {
    const message = 'The answer is for another profile. Open the page of the link again and load a new one.';
    throw AppError.invalidInput('wrong_challenge', message);
  }
  const udid = textAt(answer, 'UDID') ?? '';
  if (!isUdid(udid))
    throw AppError.invalidInput('no_device_id', 'The answer contains no device id. Load the profile again.');
  const code = (key: string): string | null => cleanText(textAt(answer, key) ?? '', MAX_CODE) || null;
  return { udid, product: code('PRODUCT'), osVersion: code('VERSION') };
}

function signedPlist(bytes: Buffer): PlistDict {
  try {
    return readSignedPlist(bytes);
  } catch (error) {
    throw new AppError('invalid_input', {
      message: 'The body is not a signed answer of a device (CMS with a property list). Load the profile again.',
      details: { reason: 'unreadable_answer' },
      cause: error,
    });
  }
}
