import { createHash, createHmac, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CdnConfig } from '#infra/config/config';
import { type BlobStore, type SignedUrlOptions } from '../blob-store';
import { behindCdn } from './cdn-store';
import { cloudflareToken } from './cloudflare-signer';

const NOW = new Date('2026-11-26T10:00:00.900Z');
const SECONDS = 900;
const URL_OF_CDN = 'https://cdn.example.com/files';
const KEY = 'builds/0193-a/artifact';
const FILE: SignedUrlOptions = { expiresInSeconds: 60, fileName: 'Dëmo (1)*.apk', mediaType: 'application/zip' };
const SECRET = 'a secret that only the test and its edge know';
const TYPE = 'response-content-type=application%2Fzip';
const IMMUTABLE = 'response-cache-control=public%2C%20max-age%3D31536000%2C%20immutable';

const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const unused = {} as BlobStore;

/** The URL of `FILE` at a CDN. */
const signed = async (options: Partial<CdnConfig>, store = unused, now = NOW): Promise<string> => {
  const defaults = { url: URL_OF_CDN, seconds: SECONDS, key: SECRET, signedText: '{uri}' };
  const cdn = Object.assign(new CdnConfig(), defaults, options);
  return (await behindCdn(store, cdn, { now: () => now }).signedUrl?.(KEY, FILE)) ?? '';
};

describe('a store behind CloudFront', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const ecdsa = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const bytesOf = (text: string | null): Buffer =>
    Buffer.from((text ?? '').replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/'), 'base64');

  /** What CloudFront does: verifies the signature of the policy, and compares the policy with the rest of the URL. */
  const isAccepted = (url: string, key: KeyObject, nowSeconds: number): boolean => {
    const [resource = '', ours = ''] = url.split('&Policy=');
    const query = new URLSearchParams(`Policy=${ours}`);
    const policy = bytesOf(query.get('Policy'));
    if (query.get('Hash-Algorithm') !== 'SHA256' || query.get('Key-Pair-Id') !== 'K2JCJMDEHXQW5F') return false;
    if (!verify('sha256', policy, createPublicKey(key), bytesOf(query.get('Signature')))) return false;
    const { Statement } = JSON.parse(policy.toString()) as {
      Statement: { Resource: string; Condition: { DateLessThan: { 'AWS:EpochTime': number } } }[];
    };
    const [{ Resource, Condition }] = Statement as [(typeof Statement)[0]];
    return Resource === resource && nowSeconds < Condition.DateLessThan['AWS:EpochTime'];
  };
  const seconds = Math.floor(NOW.getTime() / 1000);

  // red when: the policy omits a part of the URL, or the signature has another hash or encoding
  it.each([
    ['RSA', rsa],
    ['ECDSA', ecdsa],
  ])('signs the whole URL for the lifetime, by %s', async (_name, key) => {
    const url = await signed({ provider: 'cloudfront', keyId: 'K2JCJMDEHXQW5F', key: pem(key) });
    expect(url).toMatch(`${URL_OF_CDN}/${KEY}?response-content-disposition=attachment%3B%20filename%3D`);
    expect(url).toContain(`&${TYPE}&${IMMUTABLE}&Policy=`);
    expect(isAccepted(url, key, seconds + SECONDS - 1)).toBe(true);
    expect(isAccepted(url, key, seconds + SECONDS)).toBe(false);
    expect(isAccepted(url.replace('artifact', 'artefact'), key, seconds)).toBe(false);
    expect(isAccepted(url.replace(TYPE, 'response-content-type=text%2Fhtml'), key, seconds)).toBe(false);
    expect(isAccepted(url, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, seconds)).toBe(false);
  });

  // red when: the policy contains a character that CloudFront takes for a wildcard
  it('names no wildcard besides the question mark of the query', async () => {
    const url = await signed({ provider: 'cloudfront', keyId: 'K2JCJMDEHXQW5F', key: pem(ecdsa) });
    const [, policy = ''] = /Policy=([^&]+)/.exec(url) ?? [];
    expect(bytesOf(policy).toString().match(/[*?]/g)).toEqual(['?']);
  });

  it.each([
    ['is malformed', 'no key'],
    ['has the wrong length', pem(generateKeyPairSync('rsa', { modulusLength: 3072 }).privateKey)],
    ['has another curve', pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey)],
  ])('is not opened when the private key %s', async (_problem, key) => {
    await expect(signed({ provider: 'cloudfront', keyId: 'K1', key })).rejects.toThrow(/^DOWNLOAD_CDN_KEY: /);
  });
});

describe('a store behind Cloudflare', () => {
  /** The function of Cloudflare's rules, from its documentation: message, separator, 10 digits, `-`, and the encoded MAC. */
  const isTimedHmacValid = (
    secret: string,
    uri: string,
    ttl: number,
    nowSeconds: number,
    separator: number,
  ): boolean => {
    const [, before = '', issued = '', mac = ''] = /^(.+)(\d{10})-(.{43,})$/.exec(uri) ?? [];
    const message = before.slice(0, -separator);
    const wanted = createHmac('sha256', secret)
      .update(message + issued)
      .digest('base64');
    return decodeURIComponent(mac) === wanted && nowSeconds < Number(issued) + ttl;
  };

  // The tokens in "Configure token authentication" and "HMAC validation" of Cloudflare's documentation are of this secret and path.
  it.each([
    [1484063787, '9JQB8vP1z0yc5DEBnH6JGWM3mBmvIeMrnnxFi3WtJLE%3D'],
    [1484063137, 'IaLGSmELTvlhfd0ItdN6PhhHTFhzx73EX8uy%2FcSDiIU%3D'],
  ])('makes the token of the documentation for %d', (issued, mac) => {
    expect(cloudflareToken('thisisasecret', '/download/cat.jpg', issued)).toBe(`${issued}-${mac}`);
  });

  it('signs path and query, with the token as the last parameter', async () => {
    const url = new URL(await signed({ provider: 'cloudflare' }));
    const uri = url.href.slice(url.origin.length);
    const issued = Math.floor(NOW.getTime() / 1000);
    expect(uri).toMatch(new RegExp(`^/files/${KEY}\\?response-content-disposition=.*&${TYPE}&${IMMUTABLE}&verify=\\d`));
    const isValid = (text: string, at: number): boolean =>
      isTimedHmacValid(SECRET, text, SECONDS, at, '&verify='.length);
    expect(isValid(uri, issued + SECONDS - 1)).toBe(true);
    expect(isValid(uri, issued + SECONDS)).toBe(false);
    expect(isValid(uri.replace(TYPE, 'response-content-type=text%2Fhtml'), issued)).toBe(false);
  });
});

describe('a store behind Azure Front Door', () => {
  const asked: SignedUrlOptions[] = [];
  const azure = {
    signedUrl: (key: string, options: SignedUrlOptions) => {
      asked.push(options);
      return Promise.resolve(
        `https://a.blob.core.windows.net/agate/${key}?se=${options.expiresAt?.toISOString()}&sig=x`,
      );
    },
  } as unknown as BlobStore;

  // red when: each redirect has an address of its own, which the edge does not have yet
  it('exchanges the host of the SAS, and signs one address for all downloads of a period', async () => {
    const at = (time: string): Promise<string> => signed({ provider: 'frontdoor' }, azure, new Date(time));
    const first = await at('2026-11-26T10:00:00.000Z');
    expect(first).toBe(`${URL_OF_CDN}/agate/${KEY}?se=2026-11-26T10:30:00.000Z&sig=x`);
    expect(await at('2026-11-26T10:14:59.999Z')).toBe(first);
    expect(await at('2026-11-26T10:15:00.000Z')).toContain('se=2026-11-26T10:45:00.000Z');
    expect(asked[0]).toMatchObject({ fileName: FILE.fileName, cacheControl: 'public, max-age=900, immutable' });
  });
});

describe('a store behind an edge of a template', () => {
  const expires = Math.floor(NOW.getTime() / 1000) + SECONDS;

  it('signs path and query before the signature by default', async () => {
    const template = '{key}?type={content_type}&expires={expires}&signature={hmac}';
    const [, uri = '', signature] =
      /^https:\/\/[^/]+(.*)&signature=(.*)$/.exec(await signed({ provider: 'template', template })) ?? [];
    expect(uri).toBe(`/files/${KEY}?type=application%2Fzip&expires=${expires}`);
    expect(signature).toBe(createHmac('sha256', SECRET).update(uri).digest('base64url'));
    expect(await signed({ provider: 'template', template: template.replace('{hmac}', '{hmac_hex}') })).toMatch(
      new RegExp(`&signature=${createHmac('sha256', SECRET).update(uri).digest('hex')}$`),
    );
  });

  // The text of nginx has the decoded path; the example of its documentation has the hash _e4Nc3iduzkWRm01TBBNYw.
  it('signs the decoded path as nginx does', async () => {
    const url = await signed({
      provider: 'template',
      template: '{key}/{file_name}?md5={md5}&expires={expires}',
      signedText: '{expires}{path} {secret}',
    });
    const nginx = (text: string): string => createHash('md5').update(text).digest('base64url');
    expect(nginx('2147483647/s/link127.0.0.1 secret')).toBe('_e4Nc3iduzkWRm01TBBNYw');
    const md5 = nginx(`${expires}/files/${KEY}/Dëmo (1)*.apk ${SECRET}`);
    expect(url).toBe(`${URL_OF_CDN}/${KEY}/D%C3%ABmo%20%281%29%2A.apk?md5=${md5}&expires=${expires}`);
  });
});

describe('the key of a CDN', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'agate-cdn-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is read from a file, without the line break at its end', async () => {
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, `${SECRET}\n`);
    expect(await signed({ provider: 'cloudflare', key: undefined, keyFile })).toBe(
      await signed({ provider: 'cloudflare' }),
    );
    writeFileSync(keyFile, 'short\n');
    await expect(signed({ provider: 'cloudflare', key: undefined, keyFile })).rejects.toThrow(
      'DOWNLOAD_CDN_KEY_FILE: must have at least 32 characters.',
    );
    await expect(signed({ provider: 'cloudflare', key: undefined, keyFile: folder })).rejects.toThrow(
      'DOWNLOAD_CDN_KEY_FILE: the file cannot be read (EISDIR).',
    );
  });
});

describe('a store without a CDN', () => {
  it('stays as it is', () => {
    expect(behindCdn(unused, new CdnConfig())).toBe(unused);
  });
});
