import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsObject, ValidateIf, ValidateNested } from 'class-validator';
import { AzureAccountRequest, S3AccountRequest } from './account.requests';

/** Exactly one of the two. */
export class PutByosaRequest {
  @ApiPropertyOptional({ type: S3AccountRequest, description: 'A bucket of anything that speaks S3.' })
  @ValidateIf(({ azure }: PutByosaRequest) => azure === undefined)
  @IsDefined({ message: 's3 or azure must be given, and not both' })
  @IsObject()
  @ValidateNested()
  @Type(() => S3AccountRequest)
  s3?: S3AccountRequest;

  @ApiPropertyOptional({ type: AzureAccountRequest, description: 'A container of Azure Blob Storage.' })
  @ValidateIf(({ s3, azure }: PutByosaRequest) => azure !== undefined && s3 === undefined)
  @IsObject()
  @ValidateNested()
  @Type(() => AzureAccountRequest)
  azure?: AzureAccountRequest;
}
