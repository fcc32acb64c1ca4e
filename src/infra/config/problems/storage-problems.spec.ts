import { randomBytes } from 'node:crypto';
import { StorageConfig } from '../config';
import { loadConfig } from '../load-config';

const S3 = {
  STORAGE_PROVIDER: 's3',
  S3_BUCKET: 'agate',
  S3_ACCESS_KEY_ID: 'AKIA1',
  S3_SECRET_ACCESS_KEY: 'a real one',
};
const KEY = randomBytes(64).toString('base64');
const AZURE = {
  STORAGE_PROVIDER: 'azure',
  AZURE_STORAGE_CONTAINER: 'agate',
  AZURE_STORAGE_CONNECTION_STRING: `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${KEY};EndpointSuffix=core.windows.net`,
};
const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://agate.example.com',
  CAPTCHA_PROVIDER: 'none',
  SIGN_UP: 'open',
};

const load = (environment: Readonly<Record<string, string>>): StorageConfig =>
  loadConfig(environment).get(StorageConfig);

describe('the storage configuration', () => {
  it('defaults to local storage, and accepts the required variables of each provider', () => {
    expect(load({})).toMatchObject({ provider: 'local', downloadDelivery: 'auto', byosaAllowedHosts: [] });
    expect(load(S3)).toMatchObject({ provider: 's3', s3Region: 'us-east-1', s3ForcePathStyle: false });
    expect(load({ ...S3, S3_ENDPOINT: 'http://minio:9000' })).toMatchObject({ s3ForcePathStyle: true });
    expect(load({ ...S3, S3_ENDPOINT: 'http://minio:9000', S3_FORCE_PATH_STYLE: 'false' })).toMatchObject({
      s3ForcePathStyle: false,
    });
    const byosaAllowedHosts = ['10.0.0.0/8', 'fc00::/7', 'store.lan', '10.0.0.1'];
    expect(load({ ...PRODUCTION, BYOSA_ALLOWED_HOSTS: byosaAllowedHosts.join() })).toMatchObject({ byosaAllowedHosts });
    expect(load({ BYOSA_ALLOWED_HOSTS: '0.0.0.0/0' })).toMatchObject({ byosaAllowedHosts: ['0.0.0.0/0'] });
    expect(load({ ...AZURE, ...PRODUCTION })).toMatchObject({ provider: 'azure', azureContainer: 'agate' });
  });

  // red when: a check is removed
  it.each<[string, Readonly<Record<string, string>>]>([
    ['STORAGE_PROVIDER', { STORAGE_PROVIDER: 'ftp' }],
    ['S3_BUCKET', { ...S3, S3_BUCKET: '' }],
    ['S3_BUCKET', { ...S3, S3_BUCKET: 'a/b' }],
    ['S3_ENDPOINT', { ...S3, S3_ENDPOINT: 'minio' }],
    ['S3_FORCE_PATH_STYLE', { ...S3, S3_FORCE_PATH_STYLE: 'yes' }],
    ['S3_ACCESS_KEY_ID', { ...S3, S3_ACCESS_KEY_ID: '' }],
    ['S3_SECRET_ACCESS_KEY', { ...S3, S3_SECRET_ACCESS_KEY: '' }],
    ['S3_SECRET_ACCESS_KEY', { ...S3, ...PRODUCTION, S3_SECRET_ACCESS_KEY: 'minioadmin' }],
    ['AZURE_STORAGE_CONTAINER', { ...AZURE, AZURE_STORAGE_CONTAINER: '' }],
    ['AZURE_STORAGE_CONTAINER', { ...AZURE, AZURE_STORAGE_CONTAINER: 'Agate' }],
    ['AZURE_STORAGE_CONNECTION_STRING', { ...AZURE, AZURE_STORAGE_CONNECTION_STRING: '' }],
    ['AZURE_STORAGE_CONNECTION_STRING', { ...AZURE, AZURE_STORAGE_CONNECTION_STRING: 'BlobEndpoint=https://a' }],
    [
      'AZURE_STORAGE_CONNECTION_STRING',
      { ...AZURE, ...PRODUCTION, AZURE_STORAGE_CONNECTION_STRING: 'UseDevelopmentStorage=true' },
    ],
    [
      'AZURE_STORAGE_CONNECTION_STRING',
      {
        ...AZURE,
        ...PRODUCTION,
        AZURE_STORAGE_CONNECTION_STRING: `AccountName=a;AccountKey=${Buffer.alloc(64).toString('base64')}`,
      },
    ],
    ['S3_SECRET_ACCESS_KEY', { ...S3, ...PRODUCTION, S3_SECRET_ACCESS_KEY: 'changemechangeme' }],
    ...['0.0.0.0/0', '128.0.0.0/1', '8.0.0.0/7', '::/0', '2000::/3', '::ffff:0:0/96'].map(
      (network): [string, Readonly<Record<string, string>>] => [
        'BYOSA_ALLOWED_HOSTS',
        { ...PRODUCTION, BYOSA_ALLOWED_HOSTS: `10.0.0.0/8,${network}` },
      ],
    ),
    ['DOWNLOAD_DELIVERY', { DOWNLOAD_DELIVERY: 'fast' }],
    ['BYOSA_ALLOWED_HOSTS', { BYOSA_ALLOWED_HOSTS: 'minio.lan,http://10.0.0.1' }],
    ['MAX_UPLOAD_BYTES', { MAX_UPLOAD_BYTES: '90000000000' }],
  ])('rejects an invalid %s, naming it without its value', (name, environment) => {
    expect(() => load(environment)).toThrow(new RegExp(`- ${name}: `));
    const value = environment[name] ?? '';
    if (value.length > 4) expect(() => load(environment)).not.toThrow(value);
  });
});
