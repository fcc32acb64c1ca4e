import { readFileSync } from 'node:fs';
import { type Clock } from '#kernel/context/clock';
import { StartupError } from '#kernel/errors/startup-error';
import { shownFileName } from '#kernel/text/file-name';
import { SystemClock } from '#infra/clock/system-clock';
import { type CdnConfig } from '#infra/config/config';
import { secretProblems } from '#infra/config/problems/cdn-problems';
import { assertBlobKey, type BlobStore, type SignedUrlOptions } from '../blob-store';
import { downloadHeaders, IMMUTABLE } from '../download-headers';
import { type CdnSigner } from './cdn-signer';
import { CloudflareSigner } from './cloudflare-signer';
import { CloudFrontSigner } from './cloudfront-signer';
import { TemplateSigner } from './template-signer';

/** @throws StartupError when the key of the CDN cannot be read or is not one that it accepts. */
export function requireCdnKey(cdn: CdnConfig): void {
  if (cdn.provider && cdn.provider !== 'frontdoor') signerOf(cdn);
}

type SignUrl = NonNullable<BlobStore['signedUrl']>;

/**
 * A store whose downloads are signed for a CDN in front of it. Everything else goes to the store itself.
 * @param cdn validated.
 * @param clock the real time, which the CDN compares.
 * @throws StartupError when the key cannot be read or is not one that the CDN accepts.
 */
export function behindCdn(store: BlobStore, cdn: CdnConfig, clock: Clock = new SystemClock()): BlobStore {
  if (!cdn.provider) return store;
  const signedUrl = cdn.provider === 'frontdoor' ? throughFrontDoor(store, cdn, clock) : signedBy(signerOf(cdn), clock);
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'signedUrl') return signedUrl;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

const signedBy =
  (signer: CdnSigner, clock: Clock): SignUrl =>
  (key, { fileName, mediaType }) => {
    assertBlobKey(key);
    const headers = downloadHeaders({ fileName, mediaType, cacheControl: IMMUTABLE });
    return Promise.resolve(signer.urlOf({ key, fileName: shownFileName(fileName), headers, now: clock.now() }));
  };

/**
 * Front Door passes the shared access signature (SAS) of Azure on, which is not bound to a host, and keeps a response by its whole URL. All
 * URLs of a file that are signed within `seconds` are therefore equal: they expire at the end of the period after this one. What the edge
 * has kept is served by its URL without a check of the signature, so it is kept for one period only.
 */
const throughFrontDoor =
  (store: BlobStore, { url = '', seconds }: CdnConfig, clock: Clock): SignUrl =>
  async (key, options) => {
    const periodMs = seconds * 1000;
    const expiresAt = new Date((Math.floor(clock.now().getTime() / periodMs) + 2) * periodMs);
    const ofPeriod: SignedUrlOptions = { ...options, expiresAt, cacheControl: `public, max-age=${seconds}, immutable` };
    const signed = new URL((await store.signedUrl?.(key, ofPeriod)) ?? '');
    return url + signed.pathname + signed.search;
  };

function signerOf(cdn: CdnConfig): CdnSigner {
  const { provider, url = '', seconds, keyId = '', template = '', signedText } = cdn;
  if (provider === 'cloudfront') return new CloudFrontSigner({ url, seconds, keyId, privateKey: keyOf(cdn) });
  const secret = secretOf(cdn);
  if (provider === 'cloudflare') return new CloudflareSigner(url, secret);
  return new TemplateSigner({ url, seconds, secret, template, signedText });
}

function secretOf(cdn: CdnConfig): string {
  const secret = keyOf(cdn).trim();
  const problems = cdn.keyFile ? secretProblems('DOWNLOAD_CDN_KEY_FILE', secret, true) : [];
  if (problems.length > 0) throw new StartupError(`${problems.join('\n')}.`);
  return secret;
}

function keyOf({ key, keyFile }: CdnConfig): string {
  if (!keyFile) return key ?? '';
  try {
    return readFileSync(keyFile, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new StartupError(`DOWNLOAD_CDN_KEY_FILE: the file cannot be read (${code}).`);
  }
}
