import { type Page } from '#kernel/cursor';
import { type JsonBytes, textOfBytes } from '#infra/fragments/json-bytes';

/** A body that is JSON already. `response.json` sends the bytes as they are. */
export class JsonText {
  constructor(readonly bytes: JsonBytes) {}

  toJSON(): unknown {
    return JSON.parse(textOfBytes(this.bytes));
  }
}

/** The `PageResponse` of items that are JSON already. */
export const toJsonPage = ({ items, nextCursor }: Page<JsonBytes>): JsonText =>
  new JsonText(`{"items":[${items.join(',')}],"next_cursor":${JSON.stringify(nextCursor)}}`);
