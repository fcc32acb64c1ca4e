import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const src = path.resolve(__dirname, '../../src');

/**
 * The statements about tables of other modules that still exist: the folder, and its foreign tables. The list may only become shorter: an
 * entry without a statement fails, too.
 */
const CROSSINGS: Readonly<Record<string, readonly string[]>> = {
  // Invents the past of a demo: downloads and openings that no service can make, because their time is the time of the request.
  'app/demo': ['build', 'build_download', 'tester'],
};

interface Source {
  /** The part of the house: a module, a read model, a folder of `app`, or `infra`. */
  readonly room: string;
  readonly text: string;
}

/** `modules/builds`, `read-models/search`, `app/demo`; `infra` is one room. */
const roomOf = (file: string): string => {
  const [ring = '', folder = ''] = file.split(path.sep);
  return ring === 'infra' ? ring : `${ring}/${folder}`;
};

const sources: readonly Source[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ room: roomOf(file), text: readFileSync(path.join(src, file), 'utf8') }));

/** The room of each table's entity. */
const owners = new Map(
  sources.flatMap(({ room, text }) =>
    [...text.matchAll(/@Entity\('(\w+)'\)/g)].map(([, table = '']) => [table, room] as const),
  ),
);

const AFTER_KEYWORD = /\b(?:FROM|JOIN|UPDATE|INTO|USING|ONLY|TABLE)\s+(?:LATERAL\s+)?([a-z_]+)\b/g;
const AS_PROPERTY = /\b(?:from|table): '([a-z_]+)'/g;
const CHANGED = /\b(?:UPDATE|INSERT INTO|DELETE FROM)\s+([a-z_]+)\b/g;

const tablesIn = (text: string, ...patterns: readonly RegExp[]): string[] =>
  patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, table = '']) => table))
    .filter((table) => owners.has(table));

/** The tables in the statements of each room, sorted. */
function tablesByRoom(...patterns: readonly RegExp[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { room, text } of sources)
    for (const table of tablesIn(text, ...patterns)) found.set(room, (found.get(room) ?? new Set()).add(table));
  return new Map([...found].map(([room, tables]) => [room, [...tables].sort()]));
}

const isReadModel = (room: string): boolean => room.startsWith('read-models/');
const used = tablesByRoom(AFTER_KEYWORD, AS_PROPERTY);

describe('tables', () => {
  it('have an owner', () => expect(owners.size).toBeGreaterThan(40));

  // red when: a statement of a module names a table of another module, or the last statement of an entry of the list disappears
  it('are named only in statements of their owner and of read models', () => {
    const foreign = [...used]
      .filter(([room]) => !isReadModel(room))
      .map(([room, tables]) => {
        const others = tables.filter((table) => owners.get(table) !== room && owners.get(table) !== 'infra');
        return [room, others] as const;
      })
      .filter(([, tables]) => tables.length > 0);
    expect(Object.fromEntries(foreign)).toEqual(CROSSINGS);
  });
});

describe('the README of a module', () => {
  const modules = readdirSync(path.join(src, 'modules'));

  // red when: a module gets a table, or loses one, without its README
  it.each(modules)('lists the tables of %s', (name) => {
    const readme = readFileSync(path.join(src, 'modules', name, 'README.md'), 'utf8');
    const [, line = ''] = /\*\*Tables\*\*: ([^]*?)\n-/.exec(readme) ?? [];
    const listed = [...line.matchAll(/`(\w+)`/g)].map(([, table = '']) => table);
    const own = [...owners].filter(([, room]) => room === `modules/${name}`).map(([table]) => table);
    expect(listed.filter((table) => owners.get(table) !== 'infra').sort()).toEqual(own.sort());
  });
});

describe('read models', () => {
  const folders = readdirSync(path.join(src, 'read-models'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

  // red when: a read model reads a table that the README does not list, or no longer reads one that it lists
  it('are listed in the README with their tables', () => {
    const readme = readFileSync(path.join(src, 'read-models/README.md'), 'utf8');
    const listed = [...readme.matchAll(/^\| `([a-z-]+)` \| ([^|]*) \|/gm)].map(([, name, tables = '']) => [
      name,
      [...tables.matchAll(/`(\w+)`/g)].map(([, table]) => table),
    ]);
    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries(folders.map((name) => [name, used.get(`read-models/${name}`) ?? []])),
    );
  });

  // red when: a read model has an entity, or a statement that writes
  it('own no table and change none', () => {
    expect([...owners].filter(([, room]) => isReadModel(room))).toEqual([]);
    expect([...tablesByRoom(CHANGED)].filter(([room]) => isReadModel(room))).toEqual([]);
  });
});
