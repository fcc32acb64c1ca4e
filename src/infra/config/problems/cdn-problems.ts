import { type CdnConfig, type StorageConfig } from '../config';
import { isPlaceholder } from './placeholder';
import { isLocalHost } from './production-problems';

type Provider = NonNullable<CdnConfig['provider']>;

/** The store that each CDN reads from. Without an entry: any store in the cloud. */
const STORES: Readonly<Partial<Record<Provider, StorageConfig['provider']>>> = {
  cloudfront: 's3',
  cloudflare: 's3',
  frontdoor: 'azure',
};

const MIN_SECRET_CHARACTERS = 32;

const SIGNATURES = ['hmac', 'hmac_hex', 'md5'];
const IN_URL = ['key', 'file_name', 'content_disposition', 'content_type', 'cache_control', 'expires', 'issued'];
const IN_TEXT = [...IN_URL, 'uri', 'path', 'secret'];

/**
 * Two values without a character between them: the digits at the end of a file name could be read as the beginning of a later time. A path
 * begins with a slash, and the secret is always the same.
 */
const AMBIGUOUS = /\{(?!secret\})\w+\}\d*\{(?!path\}|uri\}|secret\})\w+\}/;

/** Problems with combinations of the variables of the CDN. Each names its variable. */
export function cdnProblems(cdn: CdnConfig, storage: StorageConfig, production: boolean): string[] {
  const { provider, url } = cdn;
  if (!provider) return url ? ['DOWNLOAD_CDN: required with DOWNLOAD_CDN_URL'] : [];
  return [
    ...storeProblems(provider, storage),
    ...urlProblems(url, production),
    ...(provider === 'frontdoor' ? [] : keyProblems(provider, cdn, production)),
    ...(provider === 'template' ? templateProblems(cdn) : []),
  ];
}

function storeProblems(cdn: Provider, { provider, downloadDelivery }: StorageConfig): string[] {
  const wanted = STORES[cdn];
  const isServed = wanted ? provider === wanted : provider !== 'local';
  return [
    ...(isServed ? [] : [`DOWNLOAD_CDN: ${cdn} requires STORAGE_PROVIDER=${wanted ?? 's3 or azure'}`]),
    ...(downloadDelivery === 'stream' ? ['DOWNLOAD_CDN: has no effect with DOWNLOAD_DELIVERY=stream'] : []),
  ];
}

function urlProblems(text: string | undefined, production: boolean): string[] {
  if (!text) return ['DOWNLOAD_CDN_URL: required with DOWNLOAD_CDN'];
  const { protocol, hostname, password, username } = new URL(text);
  const isSafe = protocol === 'https:' || isLocalHost(hostname);
  return [
    ...(/[?#*]/.test(text) || username || password
      ? ['DOWNLOAD_CDN_URL: must have only a scheme, a host and a path']
      : []),
    ...(production && !isSafe ? ['DOWNLOAD_CDN_URL: must use https in production'] : []),
  ];
}

function keyProblems(provider: Provider, { key, keyFile, keyId }: CdnConfig, production: boolean): string[] {
  const problems: string[] = [];
  if (!key === !keyFile) problems.push('DOWNLOAD_CDN_KEY: set either it or DOWNLOAD_CDN_KEY_FILE');
  if (provider === 'cloudfront') {
    return keyId ? problems : [...problems, 'DOWNLOAD_CDN_KEY_ID: required with DOWNLOAD_CDN=cloudfront'];
  }
  return key ? [...problems, ...secretProblems('DOWNLOAD_CDN_KEY', key, production)] : problems;
}

/** Problems with a secret that signs URLs. */
export function secretProblems(name: string, secret: string, production: boolean): string[] {
  if (secret.length < MIN_SECRET_CHARACTERS) return [`${name}: must have at least ${MIN_SECRET_CHARACTERS} characters`];
  return production && isPlaceholder(secret) ? [`${name}: a placeholder is rejected in production`] : [];
}

/** Who has one URL could change every part of it that is not signed: the file, its media type or the time. */
function templateProblems({ template, signedText }: CdnConfig): string[] {
  if (!template) return ['DOWNLOAD_CDN_TEMPLATE: required with DOWNLOAD_CDN=template'];
  const inUrl = placeholdersOf(template);
  const inText = placeholdersOf(signedText);
  const inPath = placeholdersOf(template.split('?', 1)[0] ?? '');
  const signatures = inUrl.filter((name) => SIGNATURES.includes(name));
  const isSigned = (name: string): boolean =>
    inText.includes('uri') || inText.includes(name) || (inText.includes('path') && inPath.includes(name));
  const unsigned = inUrl.filter((name) => IN_URL.includes(name) && !isSigned(name));
  return [
    ...unknown('DOWNLOAD_CDN_TEMPLATE', inUrl, [...IN_URL, ...SIGNATURES]),
    ...unknown('DOWNLOAD_CDN_SIGNED_TEXT', inText, IN_TEXT),
    ...problemUnless(inUrl.includes('key'), 'DOWNLOAD_CDN_TEMPLATE: must contain {key}'),
    ...problemUnless(
      inUrl.includes('expires') || inUrl.includes('issued'),
      'DOWNLOAD_CDN_TEMPLATE: must contain {expires} or {issued}',
    ),
    ...problemUnless(
      signatures.length === 1,
      'DOWNLOAD_CDN_TEMPLATE: must contain one of {hmac}, {hmac_hex} and {md5}',
    ),
    ...problemUnless(
      !inText.includes('uri') || /[?&][\w-]+=\{(hmac|hmac_hex)\}$/.test(template),
      'DOWNLOAD_CDN_TEMPLATE: must end with the parameter that has {hmac} or {hmac_hex}, because {uri} is signed',
    ),
    ...problemUnless(
      signatures.includes('md5') === inText.includes('secret'),
      'DOWNLOAD_CDN_SIGNED_TEXT: must contain {secret} with {md5}, and only then',
    ),
    ...problemUnless(
      !(inText.includes('path') && inPath.some((name) => SIGNATURES.includes(name))),
      'DOWNLOAD_CDN_SIGNED_TEXT: must not contain {path}, which has the signature',
    ),
    ...problemUnless(
      !AMBIGUOUS.test(signedText),
      'DOWNLOAD_CDN_SIGNED_TEXT: needs a character that is not a digit between two placeholders',
    ),
    ...unsigned.map((name) => `DOWNLOAD_CDN_SIGNED_TEXT: must contain {${name}}, which is part of the URL`),
  ];
}

const problemUnless = (isMet: boolean, problem: string): string[] => (isMet ? [] : [problem]);

const placeholdersOf = (template: string): string[] =>
  [...template.matchAll(/\{(\w*)\}/g)].map(([, name = '']) => name);

const unknown = (variable: string, used: readonly string[], known: readonly string[]): string[] =>
  used.filter((name) => !known.includes(name)).map((name) => `${variable}: {${name}} is unknown`);
