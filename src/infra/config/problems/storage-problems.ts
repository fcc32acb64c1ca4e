import { type StorageConfig } from '../config';
import { allowedHostProblems } from './allowed-host-problems';
import { isPlaceholder } from './placeholder';

const EMULATOR = /UseDevelopmentStorage=true|AccountName=devstoreaccount1(;|$)/i;

/** Problems with combinations of the storage variables. Each names its variable. */
export function storageProblems(storage: StorageConfig, production: boolean): string[] {
  return [
    ...missing(storage),
    ...(production ? unsafe(storage) : []),
    ...allowedHostProblems('BYOSA_ALLOWED_HOSTS', storage.byosaAllowedHosts, { production, theirs: 'your stores' }),
  ];
}

function missing(storage: StorageConfig): string[] {
  const required: Readonly<Record<StorageConfig['provider'], Readonly<Record<string, string | undefined>>>> = {
    local: {},
    s3: {
      S3_BUCKET: storage.s3Bucket,
      S3_ACCESS_KEY_ID: storage.s3AccessKeyId,
      S3_SECRET_ACCESS_KEY: storage.s3SecretAccessKey,
    },
    azure: {
      AZURE_STORAGE_CONNECTION_STRING: storage.azureConnectionString,
      AZURE_STORAGE_CONTAINER: storage.azureContainer,
    },
  };
  const problems = Object.entries(required[storage.provider])
    .filter(([, value]) => value === undefined)
    .map(([name]) => `${name}: required with STORAGE_PROVIDER=${storage.provider}`);
  const connection = storage.provider === 'azure' ? storage.azureConnectionString : undefined;
  if (connection !== undefined && !EMULATOR.test(connection) && !/AccountKey=[^;]{20}/.test(connection)) {
    problems.push('AZURE_STORAGE_CONNECTION_STRING: must contain an AccountKey, which signs download URLs');
  }
  return problems;
}

function unsafe(storage: StorageConfig): string[] {
  return { local: () => [], s3: unsafeS3, azure: unsafeAzure }[storage.provider](storage);
}

function unsafeS3({ s3AccessKeyId, s3SecretAccessKey }: StorageConfig): string[] {
  return Object.entries({ S3_ACCESS_KEY_ID: s3AccessKeyId, S3_SECRET_ACCESS_KEY: s3SecretAccessKey })
    .filter(([, value]) => value !== undefined && isPlaceholder(value))
    .map(([name]) => `${name}: a placeholder is rejected in production`);
}

function unsafeAzure({ azureConnectionString = '' }: StorageConfig): string[] {
  if (EMULATOR.test(azureConnectionString)) {
    return ["AZURE_STORAGE_CONNECTION_STRING: the emulator's account is rejected in production"];
  }
  const [, accountKey = ''] = /AccountKey=([^;]+)/.exec(azureConnectionString) ?? [];
  return isPlaceholder(Buffer.from(accountKey, 'base64'))
    ? ['AZURE_STORAGE_CONNECTION_STRING: a placeholder is rejected in production']
    : [];
}
