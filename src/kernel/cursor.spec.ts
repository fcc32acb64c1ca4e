import * as fc from 'fast-check';
import { newId } from '#kernel/ids';
import { decodeCursor, encodeCursor, pageOf } from './cursor';

const LIST = 'builds|1';

describe('cursor', () => {
  it('gives back the id it was made of, in its own list', () => {
    const id = newId();
    expect(decodeCursor(encodeCursor(id, LIST), LIST)).toBe(id);
  });

  it('takes one of another list for the first page', () => {
    expect(decodeCursor(encodeCursor(newId(), 'builds|2'), LIST)).toBeNull();
    expect(decodeCursor(encodeCursor(newId(), 'projects|1'), LIST)).toBeNull();
  });

  it('takes one with any character changed for the first page', () => {
    const cursor = encodeCursor(newId(), LIST);
    for (let index = 0; index < cursor.length; index++) {
      const changed = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
      expect(decodeCursor(changed, LIST)).toBeNull();
    }
  });

  it('takes anything else for the first page (specification §7 rule 7)', () => {
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

  it('has a next page only when one row more was read', () => {
    const rows = [newId(), newId(), newId()].map((id) => ({ id }));
    const nextCursor = encodeCursor(rows[1]?.id ?? '', LIST);
    expect(pageOf(rows, 2, LIST)).toEqual({ items: rows.slice(0, 2), nextCursor });
    expect(pageOf(rows, 3, LIST).nextCursor).toBeNull();
    expect(pageOf([], 3, LIST)).toEqual({ items: [], nextCursor: null });
  });
});
