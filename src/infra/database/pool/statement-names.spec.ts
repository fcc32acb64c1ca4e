import { ONE_PLAN, StatementNames } from './statement-names';

describe('StatementNames', () => {
  const names = new StatementNames();
  const thrice = (statement: string): (string | undefined)[] => [1, 2, 3].map(() => names.nameOf(statement));

  it('names a statement that is sent for the third time, and keeps its name', () => {
    expect(thrice('SELECT a FROM t WHERE id = $1')).toEqual([undefined, undefined, 'agate_1_0']);
    expect(names.nameOf('SELECT a FROM t WHERE id = $1')).toBe('agate_1_0');
  });

  it.each([
    'SELECT a FROM t WHERE b = $1 ORDER BY c LIMIT 1',
    'SELECT a FROM t WHERE b = $1 ORDER BY c\nLIMIT $2',
    'SELECT a FROM t WHERE $1 IS NULL OR b = $1',
    'SELECT a FROM t WHERE b ILIKE $1',
    'SELECT a FROM t WHERE b ~ $1',
    'SET LOCAL lock_timeout = 0',
  ])('never names %s', (statement) => {
    expect([...thrice(statement), ...thrice(statement)]).toEqual(Array.from({ length: 6 }));
  });

  it('names a statement with ORDER BY that has one plan for all values', () => {
    expect(thrice(`SELECT a FROM t WHERE b = $1 ORDER BY c LIMIT 1 ${ONE_PLAN}`)[2]).toBe('agate_1_1');
  });

  // red when: a statement that reads all its rows is planned every time because it sorts them
  it('names a statement that sorts all its rows', () => {
    expect(thrice('SELECT a FROM t WHERE b = $1 ORDER BY c')[2]).toBe('agate_1_2');
  });

  // red when: old names stay valid
  it('gives other names after a change of columns', () => {
    names.renew();
    expect(thrice('SELECT a FROM t WHERE id = $1')[2]).toBe('agate_2_0');
  });

  // red when: every text gets a name
  it('names at most 300 statements', () => {
    const named = Array.from({ length: 400 }, (_, at) => thrice(`DELETE FROM t WHERE id = $1 AND ${at} = 0`)[2]);
    expect(named.filter((name) => name !== undefined)).toHaveLength(299);
    expect(names.nameOf('SELECT a FROM t WHERE id = $1')).toBe('agate_2_0');
  });
});
