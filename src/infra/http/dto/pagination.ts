import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { isStorableText } from '#kernel/text/text';
import { type Type } from '@nestjs/common';
import { type Page } from '#kernel/cursor';

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

/** A page on the wire (contract §1). */
export interface PageResponse<T> {
  items: T[];
  next_cursor: string | null;
}

/** The model of a page of `item`; extend it to give it its name. */
export function PageOf<T>(item: Type<T>): Type<PageResponse<T>> {
  class PageModel {
    @ApiProperty({ type: [item] })
    items: T[];

    @ApiProperty({
      type: 'string',
      nullable: true,
      description: 'Give it back as `cursor`; null on the last page.',
      example: null,
    })
    next_cursor: string | null;
  }
  return PageModel;
}

/** Maps a page to the wire with one mapper per item. */
export const toPage = <T, R>(page: Page<T>, toItem: (item: T) => R): PageResponse<R> => ({
  items: page.items.map(toItem),
  next_cursor: page.nextCursor,
});
