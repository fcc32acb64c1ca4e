import { type FaultyProxy } from '../proxies/faulty-proxy';
import { AzureServer } from './azure-server';
import { S3Server } from './s3-server';

/** A cloud store for the hosted account, behind a proxy that can fail. */
export interface CloudPlace {
  readonly proxy: FaultyProxy;
  /** The environment variables that select the store. */
  readonly environment: Readonly<Record<string, string>>;
  /** The keys of multipart uploads that are neither complete nor aborted. Empty on Azure, which cannot list them and deletes them. */
  readonly unfinished: () => string[];
}

export async function onS3(): Promise<CloudPlace> {
  const server = await S3Server.start();
  const description = server.bucket();
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = description;
  return {
    proxy: server,
    unfinished: () => server.openUploads(description),
    environment: {
      STORAGE_PROVIDER: 's3',
      S3_ENDPOINT: endpoint ?? '',
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  };
}

export async function onAzure(): Promise<CloudPlace> {
  const server = await AzureServer.start();
  const { connectionString, container } = await server.container();
  return {
    proxy: server,
    unfinished: () => [],
    environment: {
      STORAGE_PROVIDER: 'azure',
      AZURE_STORAGE_CONNECTION_STRING: connectionString,
      AZURE_STORAGE_CONTAINER: container,
    },
  };
}

/** Whether a request sends a part of a blob. */
export const isPart = ({ method, url }: FaultyProxy['seen'][number]): boolean =>
  method === 'PUT' && (url.searchParams.has('partNumber') || url.searchParams.get('comp') === 'block');
