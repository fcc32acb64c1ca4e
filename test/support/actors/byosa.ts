import { type AzureDescription, type S3Description } from '#infra/blob/store-description';
import { type TestApp } from '../app/test-app';
import { type FaultyProxy } from '../servers/proxies/faulty-proxy';
import { AzureServer } from '../servers/stores/azure-server';
import { S3Server } from '../servers/stores/s3-server';
import { type Bearer, type OrganizationRef } from './actors';

/** Permits the stores of the tests, which run on this machine without TLS. */
export const ON_THIS_MACHINE = { BYOSA_ALLOWED_HOSTS: '127.0.0.1' };

/** A store of a customer: its settings for the API, and the proxy in front of it, which injects faults. */
export interface CustomerStore {
  readonly proxy: FaultyProxy;
  readonly settings: () => Promise<object>;
  readonly stop: () => Promise<void>;
}

export async function customerS3(): Promise<CustomerStore & { readonly proxy: S3Server }> {
  const proxy = await S3Server.start();
  return { proxy, settings: () => Promise.resolve({ s3: s3Settings(proxy.bucket()) }), stop: () => proxy.stop() };
}

const servers = new WeakMap<TestApp, Promise<S3Server>>();

/** Creates a bucket in an S3 server that stops with the application. */
export async function newBucket(app: TestApp): Promise<S3Description> {
  const server = servers.get(app) ?? S3Server.start();
  if (!servers.has(app)) {
    servers.set(app, server);
    app.stopsWith(async () => (await server).stop());
  }
  return (await server).bucket();
}

export async function customerAzure(): Promise<CustomerStore> {
  const proxy = await AzureServer.start();
  return { proxy, settings: async () => ({ azure: azureSettings(await proxy.container()) }), stop: () => proxy.stop() };
}

export const s3Settings = (description: S3Description) => ({
  endpoint: description.endpoint,
  region: description.region,
  bucket: description.bucket,
  force_path_style: description.forcePathStyle,
  access_key_id: description.accessKeyId,
  secret_access_key: description.secretAccessKey,
});

export function azureSettings({ connectionString, container }: AzureDescription) {
  const fields = new Map(
    connectionString.split(';').map((field): [string, string] => {
      const [name = '', ...value] = field.split('=');
      return [name, value.join('=')];
    }),
  );
  return {
    endpoint: fields.get('BlobEndpoint'),
    account_name: fields.get('AccountName'),
    account_key: fields.get('AccountKey'),
    container,
  };
}

export const putByosa = (admin: Bearer, organization: OrganizationRef, settings: object) =>
  admin.request('put', `/organizations/${organization.id}/byosa`).send(settings);
