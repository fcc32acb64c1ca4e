import { isAllowedHostEntry } from '#platform/network/allowed-hosts';
import { type StorageConfig } from './config';

/** Values that documentation and emulators show; they are known to everybody. */
const PLACEHOLDER =
  /^(minioadmin|minio123|changeme|change-me|secret|password|example|test|x{3,}|AKIAIOSFODNN7EXAMPLE|wJalrXUtnFEMI.*)$/i;
const EMULATOR = /UseDevelopmentStorage=true|AccountName=devstoreaccount1(;|$)/i;

/** What is wrong with the storage's variables together; each line names one. */
export function storageProblems(storage: StorageConfig, production: boolean): string[] {
  const problems = [...missing(storage), ...(production ? unsafe(storage) : [])];
  const bad = storage.byosaAllowedHosts.find((entry) => !isAllowedHostEntry(entry));
  if (bad !== undefined) {
    problems.push('BYOSA_ALLOWED_HOSTS: each must be a host name, an address, or a network such as 10.1.0.0/16');
  }
  return problems;
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
    problems.push(
      'AZURE_STORAGE_CONNECTION_STRING: it must hold an AccountKey; without one, addresses cannot be signed',
    );
  }
  return problems;
}

function unsafe(storage: StorageConfig): string[] {
  const problems: string[] = [];
  if (storage.provider === 's3') {
    const secrets = { S3_ACCESS_KEY_ID: storage.s3AccessKeyId, S3_SECRET_ACCESS_KEY: storage.s3SecretAccessKey };
    for (const [name, value] of Object.entries(secrets)) {
      if (value !== undefined && PLACEHOLDER.test(value))
        problems.push(`${name}: a placeholder is refused in production`);
    }
  }
  if (storage.provider === 'azure' && EMULATOR.test(storage.azureConnectionString ?? '')) {
    problems.push("AZURE_STORAGE_CONNECTION_STRING: the emulator's account is refused in production");
  }
  return problems;
}
