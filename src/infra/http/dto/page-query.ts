import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { isStorableText } from '#kernel/text/text';

export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1000;

/** `limit` and `cursor` of every paged list (specification §4 convention 4). */
export class PageQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    default: DEFAULT_PAGE_SIZE,
    description: 'Above 1000 means 1000.',
  })
  @Transform(({ value }: { value: unknown }) => toLimit(value))
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE_SIZE)
  limit: number = DEFAULT_PAGE_SIZE;

  @ApiPropertyOptional({
    type: 'string',
    description: 'The `next_cursor` of the page before. One that cannot be read shows the first page.',
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && isStorableText(value) ? value : undefined,
  )
  @IsOptional()
  @IsString()
  @MaxLength(1_000_000)
  cursor?: string;
}

function toLimit(value: unknown): unknown {
  if (typeof value !== 'string') return value === undefined ? DEFAULT_PAGE_SIZE : Number.NaN;
  return /^\d+$/.test(value) ? Math.min(Number(value), MAX_PAGE_SIZE) : Number.NaN;
}
