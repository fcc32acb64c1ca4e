import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsDefined, IsObject, ValidateIf, ValidateNested } from 'class-validator';
import { BooleanField, TextField } from '#infra/http/dto/fields';

/** Excludes characters that end a field of an Azure connection string, user info and a query. */
const ENDPOINT = /^https?:\/\/[^\s;@?#]+$/;
const SECRET = /^[!-~]+$/;

const EndpointField = (provider: string): PropertyDecorator =>
  TextField({
    max: 300,
    pattern: ENDPOINT,
    optional: true,
    example: 'https://objects.example.com',
    description: `The URL of the store. Default: ${provider}.`,
  });

@ApiSchema({
  description:
    'A bucket of a store with the S3 API, and credentials that may read, write, list and delete objects in it.',
})
export class S3AccountRequest {
  @EndpointField('Amazon S3 in the region')
  endpoint?: string;

  @TextField({
    max: 64,
    pattern: /^[a-zA-Z0-9-]+$/,
    example: 'eu-central-1',
    description: 'The region of the bucket. Stores without regions accept any, for example `us-east-1`.',
  })
  region: string;

  @TextField({
    min: 3,
    max: 63,
    pattern: /^[a-zA-Z0-9][a-zA-Z0-9._-]+$/,
    example: 'acme-builds',
    description: 'The name of the bucket. It must exist. Use one for Agate alone.',
  })
  bucket: string;

  @BooleanField({
    optional: true,
    description:
      'Whether the bucket is in the path instead of the host name. Default: true with an endpoint, else false.',
  })
  force_path_style?: boolean;

  @TextField({ max: 128, pattern: SECRET, example: 'AKIAIOSFODNN7EXAMPLE', description: 'The id of the access key.' })
  access_key_id: string;

  @TextField({
    max: 256,
    pattern: SECRET,
    example: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    description: 'The secret of the access key. It is stored encrypted and never returned.',
  })
  secret_access_key: string;
}

@ApiSchema({ description: 'A container of Azure Blob Storage, and a key of its account.' })
export class AzureAccountRequest {
  @EndpointField("the account's endpoint in the Azure public cloud")
  endpoint?: string;

  @TextField({
    min: 3,
    max: 24,
    pattern: /^[a-z0-9]+$/,
    example: 'acmebuilds',
    description: 'The name of the storage account.',
  })
  account_name: string;

  @TextField({
    min: 3,
    max: 63,
    pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
    example: 'builds',
    description: 'The name of the container. It must exist. Use one for Agate alone.',
  })
  container: string;

  @TextField({
    max: 128,
    pattern: /^[A-Za-z0-9+/]+={0,2}$/,
    example: 'bm90IGEga2V5LCBidXQgaXQgbG9va3MgbGlrZSBvbmU=',
    description: 'A key of the storage account, in base64. It is stored encrypted and never returned.',
  })
  account_key: string;
}

/** Makes an array invalid as a whole. `ValidateNested` would validate each of its items. */
const SingleObject = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? false : value));

@ApiSchema({ description: 'A storage account: exactly one of `s3` and `azure`.' })
export class PutByosaRequest {
  @ApiPropertyOptional({ type: S3AccountRequest, description: 'A bucket of a store with the S3 API.' })
  @ValidateIf(({ azure }: PutByosaRequest) => azure === undefined)
  @IsDefined({ message: 's3 or azure must be given, and not both' })
  @SingleObject()
  @IsObject()
  @ValidateNested()
  @Type(() => S3AccountRequest)
  s3?: S3AccountRequest;

  @ApiPropertyOptional({ type: AzureAccountRequest, description: 'A container of Azure Blob Storage.' })
  @ValidateIf(({ s3, azure }: PutByosaRequest) => azure !== undefined && s3 === undefined)
  @SingleObject()
  @IsObject()
  @ValidateNested()
  @Type(() => AzureAccountRequest)
  azure?: AzureAccountRequest;
}
