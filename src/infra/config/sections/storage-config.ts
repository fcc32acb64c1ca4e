import { Transform } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, IsUrl, Matches, Min } from 'class-validator';
import { Variable } from '../variable';
import { flag, list, LOCAL_URL } from './values';

/** Where artifacts are stored and how they are downloaded. */
export class StorageConfig {
  @Variable('STORAGE_PROVIDER', {
    default: 'local',
    describe: 'Where hosted artifacts are stored: "local" (in DATA_DIR), "s3" or "azure".',
  })
  @IsIn(['local', 's3', 'azure'])
  provider: 'local' | 's3' | 'azure';

  @Variable('S3_ENDPOINT', { describe: 'URL of an S3-compatible store. Default: Amazon S3 in S3_REGION.' })
  @IsOptional()
  @IsUrl(LOCAL_URL)
  s3Endpoint: string | undefined;

  @Variable('S3_REGION', { default: 'us-east-1', describe: 'Region of the bucket.' })
  @Matches(/^[a-z0-9-]{1,64}$/i)
  s3Region: string;

  @Variable('S3_BUCKET', { describe: 'Bucket that only Agate uses. Required with STORAGE_PROVIDER=s3.' })
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9._-]{1,62}$/i)
  s3Bucket: string | undefined;

  @Variable('S3_ACCESS_KEY_ID', { describe: 'Access key id. Required with STORAGE_PROVIDER=s3.' })
  @IsOptional()
  @IsString()
  s3AccessKeyId: string | undefined;

  @Variable('S3_SECRET_ACCESS_KEY', {
    secret: true,
    describe: 'Secret of the access key. Required with STORAGE_PROVIDER=s3.',
  })
  @IsOptional()
  @IsString()
  s3SecretAccessKey: string | undefined;

  @Variable('S3_FORCE_PATH_STYLE', {
    describe:
      '"true" puts the bucket into the path instead of the host name. Default: true with S3_ENDPOINT, else false.',
  })
  @Transform(flag)
  @IsOptional()
  @IsBoolean()
  s3ForcePathStyle: boolean;

  @Variable('AZURE_STORAGE_CONNECTION_STRING', {
    secret: true,
    describe: 'Connection string of the storage account, with its AccountKey. Required with STORAGE_PROVIDER=azure.',
  })
  @IsOptional()
  @IsString()
  azureConnectionString: string | undefined;

  @Variable('AZURE_STORAGE_CONTAINER', {
    describe: 'Container that only Agate uses. Required with STORAGE_PROVIDER=azure.',
  })
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/)
  azureContainer: string | undefined;

  @Variable('STORAGE_MOVED', {
    default: 'false',
    describe:
      '"true" says that the artifacts were copied into the store that the variables name. Without it, a start with another store than the one of the builds is rejected.',
  })
  @Transform(flag)
  @IsBoolean()
  moved: boolean;

  @Variable('STORAGE_MIN_FREE_BYTES', {
    default: '1073741824',
    describe:
      'Bytes that a local store leaves free on its file system, for the database and the rest of the machine. Uploads that need them get 503. 0: none.',
  })
  @IsInt()
  @Min(0)
  minFreeBytes: number;

  @Variable('DOWNLOAD_DELIVERY', {
    default: 'auto',
    describe:
      '"redirect": downloads are redirected to a signed URL of the store, if it can sign; "stream": they pass through the service; "auto": like "redirect", except when a client resumes with If-Range.',
  })
  @IsIn(['auto', 'redirect', 'stream'])
  downloadDelivery: 'auto' | 'redirect' | 'stream';

  @Variable('BYOSA_ALLOWED_HOSTS', {
    describe:
      "Comma-separated hosts, addresses or networks where customers' stores may be although they are private or lack https.",
  })
  @Transform(list)
  @IsArray()
  @IsString({ each: true })
  byosaAllowedHosts: string[];
}
