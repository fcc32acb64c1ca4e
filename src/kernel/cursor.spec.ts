import * as fc from 'fast-check';
import { newId } from '#kernel/ids';
import { decodeCursor, encodeCursor, pageOf } from './cursor';

const LIST = 'builds|1';

describe('a cursor', () => {
  it('decodes to its id in its own list', () => {
    const id = newId();
    expect(decodeCursor(encodeCursor(id, LIST), LIST)).toBe(id);
  });

  it('is ignored in another list', () => {
    expect(decodeCursor(encodeCursor(newId(), 'builds|2'), LIST)).toBeNull();
    expect(decodeCursor(encodeCursor(newId(), 'projects|1'), LIST)).toBeNull();
  });

  it('is ignored when any character is changed', () => {
    const cursor = encodeCursor(newId(), LIST);
    for (let index = 0; index < cursor.length; index++) {
      const changed = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
      expect(decodeCursor(changed, LIST)).toBeNull();
    }
  });

  it('is ignored when it is not a cursor', () => {
    const sameShape = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes) => Buffer.from(bytes).toString('base64url'));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), sameShape), (text) => {
        expect(decodeCursor(text, LIST)).toBeNull();
      }),
      { numRuns: 10_000 },
    );
    for (const text of ['', "' OR 1=1 --", 'A'.repeat(22), 'A'.repeat(27), '_'.repeat(27), 'MTIzNDU2Nzg5MDEyMzQ1Ng']) {
      expect(decodeCursor(text, LIST)).toBeNull();
    }
  });

  it('is returned by pageOf only when an extra row was read', () => {
    const rows = [newId(), newId(), newId()].map((id) => ({ id }));
    const nextCursor = encodeCursor(rows[1]?.id ?? '', LIST);
    expect(pageOf(rows, 2, LIST)).toEqual({ items: rows.slice(0, 2), nextCursor });
    expect(pageOf(rows, 3, LIST).nextCursor).toBeNull();
    expect(pageOf([], 3, LIST)).toEqual({ items: [], nextCursor: null });
  });
});
