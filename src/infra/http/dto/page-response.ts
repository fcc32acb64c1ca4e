import { type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { type Page } from '#kernel/cursor';

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
