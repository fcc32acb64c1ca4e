import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { relationOf } from '../../../src/modules/updates/protocols/check/relation';
import { comparedColumns, isNewer } from '../../../src/read-models/adoption/newer-builds';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';

interface Versioned {
  readonly version: string;
  readonly buildNumber: string | null;
  readonly bundleId: string | null;
}

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.ownerUrl, 1)).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Whether the statement says, for each pair, that the first build is newer than the second. */
async function compared(platform: string, pairs: readonly (readonly [Versioned, Versioned])[]): Promise<boolean[]> {
  const row = (n: number): string =>
    `(SELECT p.place, $1::text AS platform, p.pair->${n}->>'version' AS version, p.pair->${n}->>'buildNumber' AS build_number,
             jsonb_build_object('bundleId', p.pair->${n}->>'bundleId') AS artifact) AS`;
  const rows: { newer: boolean }[] = await dataSource.query(
    `SELECT ${isNewer('a', 'b')} AS newer FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS p (pair, place),
       LATERAL ${row(0)} x, LATERAL ${row(1)} y,
       LATERAL (SELECT x.platform, ${comparedColumns('x')}) AS a, LATERAL (SELECT y.platform, ${comparedColumns('y')}) AS b
     ORDER BY p.place`,
    [platform, JSON.stringify(pairs)],
  );
  return rows.map(({ newer }) => newer);
}

const parts = fc.constantFrom('0', '00', '1', '2', '9', '10', '010', 'a', 'beta', 'RC', '.', '-', ' ', 'v', '12884901895', '99999999999999999998', '99999999999999999999'); // prettier-ignore
const versions = fc.array(parts, { maxLength: 8 }).map((list) => list.join(''));
const versioned = fc.record<Versioned>({
  version: versions,
  buildNumber: fc.option(versions),
  bundleId: fc.constantFrom('app.one', 'app.one', 'app.one', 'app.two', null),
});

describe('comparison of builds in statements', () => {
  // red when: a number is compared as text, a missing part is not 0, words and numbers are in another order, Android decides by the version
  it.each(['ios', 'android', 'windows'] as const)('says the same as update checks: %s', async (platform) => {
    const pairs = fc.array(fc.tuple(versioned, versioned), { minLength: 50, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(pairs, async (some) => {
        const expected = some.map(
          ([a, b]) =>
            a.bundleId === b.bundleId &&
            relationOf(platform, a, { version: b.version, buildNumber: b.buildNumber ?? undefined }) === 'newer',
        );
        expect(await compared(platform, some)).toEqual(expected);
      }),
      { numRuns: 20, seed: 77 },
    );
  });

  it('orders versions as developers write them', async () => {
    const order = ['', '1.9-beta', '1.9', 'v1.9.1', '1.10', '2.0-alpha', '2.0-beta', '2.0'];
    const of = (version: string): Versioned => ({ version, buildNumber: null, bundleId: null });
    const pairs = order.flatMap((a) => order.map((b) => [of(a), of(b)] as const));
    const expected = order.flatMap((_, a) => order.map((__, b) => a > b));
    expect(await compared('macos', pairs)).toEqual(expected);
  });
});
