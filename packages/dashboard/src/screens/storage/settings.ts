import { type OwnStorage, type StorageSettings } from '../../queries/organization/own-storage';

export type StorageKind = 's3' | 'azure';

/** The typed values, by the names of the API's fields. */
export type Draft = Readonly<Record<string, string>>;

export const ADDRESSINGS = ['auto', 'path', 'host'] as const;

/** The API's messages name a nested field with both names. */
export const fieldOf = (kind: StorageKind, name: string): string => `${kind}.${name}`;

const SECRETS = ['s3.secret_access_key', 'azure.account_key'];

/** The typed values that may be kept in the browser. */
export const withoutSecrets = (draft: Draft): Draft =>
  Object.fromEntries(Object.entries(draft).filter(([name]) => !SECRETS.includes(name)));

/** The location of the configured storage, as a draft. Its secrets are unknown. */
export function draftOf({ s3, azure }: OwnStorage): Draft {
  if (s3) {
    return {
      's3.endpoint': s3.endpoint,
      's3.region': s3.region,
      's3.bucket': s3.bucket,
      's3.addressing': s3.force_path_style ? 'path' : 'host',
    };
  }
  if (!azure) return {};
  return {
    'azure.endpoint': azure.endpoint,
    'azure.account_name': azure.account_name,
    'azure.container': azure.container,
  };
}

/** The request with the typed values. An empty endpoint means the provider's own. */
export function settingsOf(kind: StorageKind, draft: Draft): StorageSettings {
  const value = (name: string): string => (draft[fieldOf(kind, name)] ?? '').trim();
  const endpoint = value('endpoint') === '' ? {} : { endpoint: value('endpoint') };
  if (kind === 'azure') {
    const [account_name, container, account_key] = [value('account_name'), value('container'), value('account_key')];
    return { azure: { ...endpoint, account_name, container, account_key } };
  }
  const addressing = value('addressing');
  return {
    s3: {
      ...endpoint,
      region: value('region'),
      bucket: value('bucket'),
      ...((addressing === 'path' || addressing === 'host') && { force_path_style: addressing === 'path' }),
      access_key_id: value('access_key_id'),
      secret_access_key: value('secret_access_key'),
    },
  };
}

/** The IAM policy with exactly the permissions that the service uses. */
export const policyOf = (bucket: string): string => {
  const resource = `arn:aws:s3:::${bucket.trim() || 'BUCKET'}`;
  const statement = (Resource: string, Action: readonly string[]) => ({ Effect: 'Allow', Resource, Action });
  const objectActions = [
    's3:GetObject',
    's3:PutObject',
    's3:DeleteObject',
    's3:AbortMultipartUpload',
    's3:ListMultipartUploadParts',
  ];
  return JSON.stringify(
    {
      Version: '2012-10-17',
      Statement: [
        statement(resource, ['s3:ListBucket', 's3:ListBucketMultipartUploads']),
        statement(`${resource}/*`, objectActions),
      ],
    },
    null,
    2,
  );
};
