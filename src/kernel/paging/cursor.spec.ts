import * as fc from 'fast-check';
import { newId } from '#kernel/ids/ids';
import { decodeCursor, encodeCursor, pageOf } from './cursor';

describe('cursor', () => {
  it('gives back the id it was made of', () => {
    const id = newId();
    expect(decodeCursor(encodeCursor(id))).toBe(id);
  });

  it('takes anything else for the first page (specification §7 rule 7)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect([null, text.length === 22 ? decodeCursor(text) : null]).toContain(decodeCursor(text));
      }),
    );
    expect(decodeCursor('')).toBeNull();
    expect(decodeCursor("' OR 1=1 --")).toBeNull();
    expect(decodeCursor('A'.repeat(22))).toBe('00000000-0000-0000-0000-000000000000');
    expect(decodeCursor('_'.repeat(21) + 'w')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
    expect(decodeCursor('MTIzNDU2Nzg5MDEyMzQ1Ng')).toBeNull();
  });

  it('has a next page only when one row more was read', () => {
    const rows = [newId(), newId(), newId()].map((id) => ({ id }));
    expect(pageOf(rows, 2)).toEqual({ items: rows.slice(0, 2), nextCursor: encodeCursor(rows[1]?.id ?? '') });
    expect(pageOf(rows, 3).nextCursor).toBeNull();
    expect(pageOf([], 3)).toEqual({ items: [], nextCursor: null });
  });
});
