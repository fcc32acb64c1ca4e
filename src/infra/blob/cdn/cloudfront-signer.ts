import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { StartupError } from '#kernel/errors/startup-error';
import { type CdnFile, type CdnSigner, overridesOf, secondsOf } from './cdn-signer';

export interface CloudFrontOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly seconds: number;
  readonly keyId: string;
  /** In PEM. */
  readonly privateKey: string;
}

/**
 * Signs URLs of CloudFront with a custom policy (CloudFront developer guide, "Create a signed URL using a custom policy"): the policy and
 * its signature, by RSA or ECDSA with SHA-256, in the base64 of CloudFront. The policy names the whole URL, so that neither the file nor
 * its headers can be changed.
 */
export class CloudFrontSigner implements CdnSigner {
  private readonly privateKey: KeyObject;

  /** @throws StartupError when the key is not one that CloudFront accepts. */
  constructor(private readonly options: CloudFrontOptions) {
    this.privateKey = keyOf(options.privateKey);
  }

  urlOf({ key, headers, now }: CdnFile): string {
    const { url, seconds, keyId } = this.options;
    const resource = `${url}/${key}?${overridesOf(headers)}`;
    const condition = { DateLessThan: { 'AWS:EpochTime': secondsOf(now) + seconds } };
    const policy = Buffer.from(JSON.stringify({ Statement: [{ Resource: resource, Condition: condition }] }));
    const signature = sign('sha256', policy, this.privateKey);
    return `${resource}&Policy=${safe(policy)}&Signature=${safe(signature)}&Key-Pair-Id=${keyId}&Hash-Algorithm=SHA256`;
  }
}

/** Base64, with CloudFront's replacements of the characters that URLs reserve. */
const safe = (bytes: Buffer): string =>
  bytes.toString('base64').replaceAll('+', '-').replaceAll('=', '_').replaceAll('/', '~');

/** CloudFront accepts RSA with 2048 bits and ECDSA on P-256 ("Specify signers that can create signed URLs and signed cookies"). */
function keyOf(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new StartupError('DOWNLOAD_CDN_KEY: the private key in PEM is malformed.');
  }
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa' && modulusLength === 2048) return key;
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return key;
  throw new StartupError(
    'DOWNLOAD_CDN_KEY: CloudFront accepts RSA keys of 2048 bits and ECDSA keys of the curve P-256.',
  );
}
