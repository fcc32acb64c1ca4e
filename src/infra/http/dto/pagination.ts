import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { type Page } from '#kernel/cursor';
import { isStorableText } from '#kernel/text/text';

export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1000;

/** The number of items per page. @param standard the value when the parameter is absent; undefined for lists that then send all items. */
export const LimitField = (standard?: number): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      minimum: 1,
      ...(standard !== undefined && { default: standard }),
      description: 'Items per page. Values above 1000 are reduced to 1000.',
    }),
    Transform(({ value }: { value: unknown }) => toLimit(value, standard)),
    IsOptional(),
    IsInt(),
    Min(1),
    Max(MAX_PAGE_SIZE),
  );

export const CursorField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'string',
      description: 'The `next_cursor` of the previous page. An invalid cursor returns the first page.',
    }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && isStorableText(value) ? value : undefined,
    ),
    IsOptional(),
    IsString(),
    MaxLength(1_000_000),
  );

/** `limit` and `cursor` of every paginated list (docs/api-behaviour.md#pagination-and-cursors). */
export class PageQuery {
  @LimitField(DEFAULT_PAGE_SIZE)
  limit: number = DEFAULT_PAGE_SIZE;

  @CursorField()
  cursor?: string;
}

function toLimit(value: unknown, standard: number | undefined): unknown {
  if (typeof value !== 'string') return value === undefined || value === standard ? standard : Number.NaN;
  return /^\d+$/.test(value) ? Math.min(Number(value), MAX_PAGE_SIZE) : Number.NaN;
}

/** A page of a list in a response. */
export interface PageResponse<T> {
  items: T[];
  next_cursor: string | null;
}

/** Makes a DTO class for a page of `item`. Extend it to name the schema: `class BuildPage extends PageOf(BuildResponse) {}`. */
export function PageOf<T>(item: Type<T>): Type<PageResponse<T>> {
  class PageModel {
    @ApiProperty({ type: [item], description: 'The items of the page, newest first.' })
    items: T[];

    @ApiProperty({
      type: 'string',
      nullable: true,
      description: 'Send it as `cursor` to get the next page. `null` on the last page.',
      example: null,
    })
    next_cursor: string | null;
  }
  return PageModel;
}

/** Converts a page to a response, mapping each item with `toItem`. */
export const toPage = <T, R>(page: Page<T>, toItem: (item: T) => R): PageResponse<R> => ({
  items: page.items.map(toItem),
  next_cursor: page.nextCursor,
});
