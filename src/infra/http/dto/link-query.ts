import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString } from 'class-validator';

/** The token of a mailed link. A missing token is read as empty, so the page reports an expired link. */
export class LinkQuery {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value : ''))
  @ApiProperty({ type: 'string', required: false, description: 'The token of the mailed link.' })
  @IsString()
  token: string = '';
}
