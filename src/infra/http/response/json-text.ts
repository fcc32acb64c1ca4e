import { type Page } from '#kernel/cursor';

/** A body that is JSON text already. `response.json` sends the text as it is. */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** The `PageResponse` of items that are JSON texts already. */
export const toJsonPage = ({ items, nextCursor }: Page<string>): JsonText =>
  new JsonText(`{"items":[${items.join(',')}],"next_cursor":${JSON.stringify(nextCursor)}}`);
