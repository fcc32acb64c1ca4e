import { randomBytes } from 'node:crypto';
import { CdnConfig } from '../config';
import { loadConfig } from '../load-config';

type Environment = Readonly<Record<string, string>>;

const S3 = {
  STORAGE_PROVIDER: 's3',
  S3_BUCKET: 'agate',
  S3_ACCESS_KEY_ID: 'AKIA1',
  S3_SECRET_ACCESS_KEY: 'a real one',
};
const AZURE = {
  STORAGE_PROVIDER: 'azure',
  AZURE_STORAGE_CONTAINER: 'agate',
  AZURE_STORAGE_CONNECTION_STRING: `AccountName=a;AccountKey=${randomBytes(64).toString('base64')}`,
};
const SECRET = randomBytes(32).toString('hex');
const URL_OF_CDN = { DOWNLOAD_CDN_URL: 'https://cdn.example.com/' };
const CLOUDFRONT = {
  ...S3,
  ...URL_OF_CDN,
  DOWNLOAD_CDN: 'cloudfront',
  DOWNLOAD_CDN_KEY_FILE: '/run/secrets/cdn.pem',
  DOWNLOAD_CDN_KEY_ID: 'K2JCJMDEHXQW5F',
};
const CLOUDFLARE = { ...S3, ...URL_OF_CDN, DOWNLOAD_CDN: 'cloudflare', DOWNLOAD_CDN_KEY: SECRET };
const FRONT_DOOR = { ...AZURE, ...URL_OF_CDN, DOWNLOAD_CDN: 'frontdoor' };
const TEMPLATE = {
  ...CLOUDFLARE,
  DOWNLOAD_CDN: 'template',
  DOWNLOAD_CDN_TEMPLATE: '{key}?expires={expires}&signature={hmac}',
};
const NGINX = {
  ...TEMPLATE,
  DOWNLOAD_CDN_TEMPLATE: '{key}/{file_name}?md5={md5}&expires={expires}',
  DOWNLOAD_CDN_SIGNED_TEXT: '{expires}{path} {secret}',
};
const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://agate.example.com',
  CAPTCHA_PROVIDER: 'none',
  SIGN_UP: 'open',
};

const load = (environment: Environment): CdnConfig => loadConfig(environment).get(CdnConfig);

describe('the configuration of the CDN', () => {
  it('accepts the required variables of each provider', () => {
    expect(load(S3)).toMatchObject({ provider: undefined, seconds: 900 });
    const url = 'https://cdn.example.com';
    expect(load(CLOUDFRONT)).toMatchObject({ provider: 'cloudfront', url });
    expect(load({ ...CLOUDFLARE, ...PRODUCTION })).toMatchObject({ provider: 'cloudflare', url });
    expect(load({ ...FRONT_DOOR, ...PRODUCTION })).toMatchObject({ provider: 'frontdoor', url });
    expect(load(TEMPLATE)).toMatchObject({ provider: 'template', signedText: '{uri}' });
    expect(load({ ...TEMPLATE, ...AZURE })).toMatchObject({ provider: 'template' });
    expect(load(NGINX)).toMatchObject({ signedText: '{expires}{path} {secret}' });
  });

  // red when: a check is removed
  it.each<[string, Environment]>([
    ['DOWNLOAD_CDN', { ...CLOUDFLARE, DOWNLOAD_CDN: 'akamai' }],
    ['DOWNLOAD_CDN', { ...S3, ...URL_OF_CDN }],
    ['DOWNLOAD_CDN', { ...CLOUDFLARE, ...AZURE }],
    ['DOWNLOAD_CDN', { ...CLOUDFRONT, STORAGE_PROVIDER: 'local' }],
    ['DOWNLOAD_CDN', { ...FRONT_DOOR, ...S3 }],
    ['DOWNLOAD_CDN', { ...TEMPLATE, STORAGE_PROVIDER: 'local' }],
    ['DOWNLOAD_CDN', { ...CLOUDFLARE, DOWNLOAD_DELIVERY: 'stream' }],
    ['DOWNLOAD_CDN_URL', { ...CLOUDFLARE, DOWNLOAD_CDN_URL: '' }],
    ['DOWNLOAD_CDN_URL', { ...CLOUDFLARE, DOWNLOAD_CDN_URL: 'cdn.example.com' }],
    ['DOWNLOAD_CDN_URL', { ...CLOUDFLARE, DOWNLOAD_CDN_URL: 'https://cdn.example.com/?a=b' }],
    ['DOWNLOAD_CDN_URL', { ...CLOUDFLARE, DOWNLOAD_CDN_URL: 'https://cdn.example.com/?' }],
    ['DOWNLOAD_CDN_URL', { ...CLOUDFLARE, DOWNLOAD_CDN_URL: 'https://:pw@cdn.example.com/' }],
    ['DOWNLOAD_CDN_URL', { ...CLOUDFRONT, DOWNLOAD_CDN_URL: 'https://cdn.example.com/*/a' }],
    ['DOWNLOAD_CDN_URL', { ...CLOUDFLARE, ...PRODUCTION, DOWNLOAD_CDN_URL: 'http://cdn.example.com' }],
    ['DOWNLOAD_CDN_KEY', { ...CLOUDFLARE, DOWNLOAD_CDN_KEY: '' }],
    ['DOWNLOAD_CDN_KEY', { ...CLOUDFLARE, DOWNLOAD_CDN_KEY: SECRET.slice(0, 31) }],
    ['DOWNLOAD_CDN_KEY', { ...CLOUDFLARE, DOWNLOAD_CDN_KEY_FILE: '/run/secrets/cdn' }],
    ['DOWNLOAD_CDN_KEY', { ...CLOUDFLARE, ...PRODUCTION, DOWNLOAD_CDN_KEY: 'changeme'.repeat(4) }],
    ['DOWNLOAD_CDN_KEY_ID', { ...CLOUDFRONT, DOWNLOAD_CDN_KEY_ID: '' }],
    ['DOWNLOAD_CDN_SECONDS', { ...CLOUDFLARE, DOWNLOAD_CDN_SECONDS: '60' }],
    ['DOWNLOAD_CDN_TEMPLATE', { ...TEMPLATE, DOWNLOAD_CDN_TEMPLATE: '' }],
    ['DOWNLOAD_CDN_TEMPLATE', { ...TEMPLATE, DOWNLOAD_CDN_TEMPLATE: '{file}?expires={expires}&s={hmac}' }],
    ['DOWNLOAD_CDN_TEMPLATE', { ...TEMPLATE, DOWNLOAD_CDN_TEMPLATE: '{key}?s={hmac}' }],
    ['DOWNLOAD_CDN_TEMPLATE', { ...TEMPLATE, DOWNLOAD_CDN_TEMPLATE: '{key}?expires={expires}' }],
    ['DOWNLOAD_CDN_TEMPLATE', { ...TEMPLATE, DOWNLOAD_CDN_TEMPLATE: '{key}?s={hmac}&expires={expires}' }],
    ['DOWNLOAD_CDN_SIGNED_TEXT', { ...TEMPLATE, DOWNLOAD_CDN_SIGNED_TEXT: '{expires}' }],
    ['DOWNLOAD_CDN_SIGNED_TEXT', { ...TEMPLATE, DOWNLOAD_CDN_SIGNED_TEXT: '{path}' }],
    ['DOWNLOAD_CDN_SIGNED_TEXT', { ...TEMPLATE, DOWNLOAD_CDN_SIGNED_TEXT: '{uri}{size}' }],
    ['DOWNLOAD_CDN_SIGNED_TEXT', { ...NGINX, DOWNLOAD_CDN_SIGNED_TEXT: '{expires}{path}' }],
    ['DOWNLOAD_CDN_SIGNED_TEXT', { ...NGINX, DOWNLOAD_CDN_SIGNED_TEXT: '{path}{expires} {secret}' }],
    ['DOWNLOAD_CDN_SIGNED_TEXT', { ...NGINX, DOWNLOAD_CDN_SIGNED_TEXT: '{key} {file_name}1{expires} {secret}' }],
    ['DOWNLOAD_CDN_SIGNED_TEXT', { ...NGINX, DOWNLOAD_CDN_TEMPLATE: '{md5}/{key}?e={expires}' }],
    ['DOWNLOAD_CDN_SIGNED_TEXT', { ...NGINX, DOWNLOAD_CDN_TEMPLATE: '{key}?type={content_type}&e={expires}&s={md5}' }],
  ])('is rejected for %s, naming it without its value', (name, environment) => {
    expect(() => load(environment)).toThrow(new RegExp(`^ {2}- ${name}: `, 'm'));
    try {
      load(environment);
    } catch (error) {
      expect((error as Error).message).not.toContain(SECRET.slice(0, 20));
    }
  });
});
