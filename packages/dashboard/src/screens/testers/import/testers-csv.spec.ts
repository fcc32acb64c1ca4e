import { CSV_CASES } from '../../../../../../test/fixtures/csv/csv-cases';
import { parsePeople, parseTestersCsv, toCsv } from './testers-csv';

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
    ['name,phone\nTess,1', 1, 'noAddress'],
    ['PK\u0003\u0004\u0014\u0000"', null, 'spreadsheet'],
    ['\u00d0\u00cf\u0011\u00e0\u00a1', null, 'spreadsheet'],
    ['email,name\ntess@example.com,"Tess', 2, 'quote'],
    ['email,name\ntess@example.com,"Tess" x', 2, 'quote'],
    [`email\n${'tess@example.com\n'.repeat(10_001)}`, null, 'tooLong'],
    [`email,name\n${`tess@example.com,${'x'.repeat(500)}\n`.repeat(9_000)}`, null, 'tooLarge'],
  ])('is rejected completely: %#', (text, line, problem) => {
    const whole = { testers: [], problem: { line, problem }, choices: [], unknownTitles: null };
    expect(parseTestersCsv(text)).toEqual(whole);
  });
});

describe('the columns of a list of testers', () => {
  it('need no titles when the first line has an address', () => {
    expect(people('tess@example.com\nbob@example.com')).toEqual([
      [1, 'tess@example.com', ''],
      [2, 'bob@example.com', ''],
    ]);
    expect(people('Tess,tess@example.com')).toEqual([[1, 'tess@example.com', 'Tess']]);
  });

  it.each([
    ['a German spreadsheet', 'Name;E-Mail\nTess;tess@example.com', 'Tess'],
    ['a team list', 'Name\tE-Mail\tTeam\nTess\ttess@example.com\tQA', 'Tess'],
    ['Google', 'Full name,Email Address,Notes\nTess,tess@example.com,bob@example.com is her boss', 'Tess'],
    ['German Outlook', 'Vorname;Nachname;E-Mail-Adresse\nTess;Ting;tess@example.com', 'Tess Ting'],
    ['contacts of Google', 'First Name,Last Name,E-mail 1 - Value\nTess,Ting,tess@example.com', 'Tess Ting'],
    ['unknown titles', 'Wer,Kontakt,Geburtstag\nTess,tess@example.com,1.1.', ''],
    ['an address book', 'Kontakt\nTess Ting <tess@example.com>', 'Tess Ting'],
  ])('are found by their content in %s', (_, text, name) => {
    expect(parseTestersCsv(text)).toMatchObject({ problem: null, choices: [] });
    expect(people(text)).toEqual([[2, 'tess@example.com', name]]);
  });

  it('have titles that are shown when they are unknown, because they might be a person', () => {
    expect(parseTestersCsv('Kontakt,Bob\ntess@example.com,Tess').unknownTitles).toBe('Kontakt, Bob');
    expect(parseTestersCsv('E-Mail,Name\ntess@example.com,Tess').unknownTitles).toBeNull();
    expect(parseTestersCsv('tess@,Tess\nbob@example.com,Bob').testers).toHaveLength(2);
  });

  it('are offered as a choice when several may have the addresses', () => {
    const text = 'Work,Private,Name\ntess@example.com,tess@example.org,Tess\nbob@example.com,bob@example.org,Bob';
    const { testers, problem, choices } = parseTestersCsv(text);
    expect({ testers, problem }).toEqual({ testers: [], problem: { line: 1, problem: 'columns' } });
    expect(choices).toEqual([
      { place: 0, title: 'Work' },
      { place: 1, title: 'Private' },
    ]);
    expect(parseTestersCsv(text, 1).testers.map(({ email, name }) => [email, name])).toEqual([
      ['tess@example.org', 'Tess'],
      ['bob@example.org', 'Bob'],
    ]);
  });
});

describe('the file that is sent', () => {
  it('has a plain form', () => {
    expect(toCsv([{ email: 'tess@example.com', name: 'Doe, "Tess"' }])).toBe(
      'email,name\n"tess@example.com","Doe, ""Tess"""',
    );
  });
});

describe('pasted people', () => {
  // red when: text is read as addresses with separators only
  it('may be lines of a spreadsheet, with or without titles', () => {
    const tess = { email: 'tess@x.org', name: 'Tess Nowak' };
    const people = [tess, { email: 'bob@x.org', name: 'Bob' }];
    for (const separator of [';', '\t', ',']) {
      const lines = [
        ['Tess Nowak', 'tess@x.org'],
        ['Bob', 'bob@x.org'],
        ['Bob', 'BOB@x.org'],
      ];
      const text = lines.map((cells) => cells.join(separator)).join('\n');
      expect(parsePeople(text)).toEqual({ people, wrong: [] });
      expect(parsePeople(`Name${separator}E-Mail\n${text}`)).toEqual({ people, wrong: [] });
    }
  });

  it.each([
    ['tess@x.org, bob', ['bob']],
    ['tess@x.org, bob@x.org\neve@x.org, typo@@x.org', ['typo@@x.org']],
    ['Tess;tess@x.org\nBob;bob@', ['Tess', 'Bob', 'bob@']],
  ])('are lists when a line has several addresses or none: %j', (text, wrong) => {
    expect(parsePeople(text).wrong).toEqual(wrong);
  });
});
