import { CSV_CASES } from '../../../../../../test/fixtures/csv/csv-cases';
import { parseTestersCsv, toCsv } from './testers-csv';

const people = (text: string) => parseTestersCsv(text).testers.map(({ line, email, name }) => [line, email, name]);

describe('a list of testers', () => {
  it.each(CSV_CASES.filter(({ testers }) => testers !== null))('is read with $of', ({ text, testers }) => {
    const found = parseTestersCsv(text).testers;
    expect(found.map(({ email, name }) => [email, name || null])).toEqual(testers);
    expect(found.every(({ problem }) => problem === null)).toBe(true);
  });

  it.each(CSV_CASES.filter(({ testers }) => testers === null))('is rejected with $of', ({ text, lines: [line] }) => {
    expect(parseTestersCsv(text)).toMatchObject({ testers: [], problem: { line } });
  });

  it('has columns in any order, among others, with the separator of its first line', () => {
    expect(people('\ufeffid;Name;EMAIL\r\n1;Tess;tess@example.com\r\n\r\n2;;bob@example.com\r\n')).toEqual([
      [2, 'tess@example.com', 'Tess'],
      [4, 'bob@example.com', ''],
    ]);
    expect(people('email\tname\ntess@example.com\tTess')).toEqual([[2, 'tess@example.com', 'Tess']]);
  });

  it('needs no line of columns when the first line has an address', () => {
    expect(people('tess@example.com\nbob@example.com')).toEqual([
      [1, 'tess@example.com', ''],
      [2, 'bob@example.com', ''],
    ]);
    expect(people('Tess,tess@example.com')).toEqual([[1, 'tess@example.com', 'Tess']]);
  });

  it('may have quoted cells, with separators, quotation marks and line breaks', () => {
    expect(people('email,name\n"tess@example.com" , "Doe, ""Tess""\nJunior"\nbob@example.com,Bob')).toEqual([
      [2, 'tess@example.com', 'Doe, "Tess" Junior'],
      [4, 'bob@example.com', 'Bob'],
    ]);
  });

  it('can be an export of testers, whose formulas are escaped', () => {
    expect(people("email,name\ntess@example.com,'=Tess\n'+bob@example.com,'Ann")).toEqual([
      [2, 'tess@example.com', '=Tess'],
      [3, '+bob@example.com', "'Ann"],
    ]);
  });

  it('names the line of each problem', () => {
    const { testers } = parseTestersCsv(
      `email,name\ntess@example.com\ntess@\n,Bob\nTESS@example.com\na@b,${'x'.repeat(101)}`,
    );
    expect(testers.map(({ line, problem, sameAs }) => ({ line, problem, sameAs }))).toEqual([
      { line: 2, problem: null, sameAs: null },
      { line: 3, problem: 'email', sameAs: null },
      { line: 4, problem: 'noEmail', sameAs: null },
      { line: 5, problem: null, sameAs: 2 },
      { line: 6, problem: 'name', sameAs: null },
    ]);
  });

  it.each([
    ['', null, 'empty'],
    ['email,name\n\n', null, 'empty'],
    ['name,phone\nTess,1', 1, 'columns'],
    ['email,email\ntess@example.com,', 1, 'columns'],
    ['email,name\ntess@example.com,"Tess', 2, 'quote'],
    ['email,name\ntess@example.com,"Tess" x', 2, 'quote'],
    [`email\n${'tess@example.com\n'.repeat(10_001)}`, null, 'tooLong'],
    [`email,name\n${`tess@example.com,${'x'.repeat(100)}\n`.repeat(9_000)}`, null, 'tooLarge'],
  ])('is rejected completely: %#', (text, line, problem) => {
    expect(parseTestersCsv(text)).toEqual({ testers: [], problem: { line, problem } });
  });
});

describe('the file that is sent', () => {
  it('has a plain form', () => {
    expect(toCsv([{ email: 'tess@example.com', name: 'Doe, "Tess"' }])).toBe(
      'email,name\n"tess@example.com","Doe, ""Tess"""',
    );
  });
});
