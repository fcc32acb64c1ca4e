import { randomBytes, randomUUID } from 'node:crypto';
import { encodeCursor, type ListName } from '#kernel/cursor';
import { type DeclaredRoute, declaredRoutes } from '#app/routes';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { OpenApiConformance } from '../../support/checks/routes/openapi-conformance';
import { idsOf, requestRoute } from '../../support/checks/routes/route-requests';
import { type RawResponse } from '../../support/load/raw-http';

const PER_LIST = 60;

describe('an invalid cursor', () => {
  let app: TestApp;
  let tenant: Tenant;
  let lists: DeclaredRoute[];
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    tenant = await createTenant(app);
    const { operations } = new OpenApiConformance(app.nest);
    const paged = operations.filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'cursor'));
    lists = declaredRoutes(app.nest).filter(({ method, template }) =>
      paged.some((each) => each.method === method && each.path === template),
    );
  });
  afterAll(() => app.stop());

  const page = async (route: DeclaredRoute, cursor?: string): Promise<RawResponse> =>
    requestRoute(app.url, route, {
      ids: { ...idsOf(tenant, route), ...(cursor !== undefined && { cursor }) },
      headers: { Authorization: `Bearer ${tenant.admin.token}` },
    });

  const OTHER: ListName = 'unknown list|unknown parent';
  const randomCursor = (n: number): string => {
    const long = randomBytes(1 + (n % 90));
    const kinds = [
      () => long.toString('base64url'),
      // As long as a valid cursor.
      () => randomBytes(20).toString('base64url'),
      () => encodeCursor(randomUUID(), OTHER),
      () => encodeCursor('00000000-0000-7000-8000-000000000000', OTHER),
      () => long.toString('latin1'),
      () => `${long.toString('base64url')}\u0000`,
      () => `' OR ${n}=${n} --`,
    ];
    return kinds[n % kinds.length]!();
  };

  it('is tried on at least 13 lists', () => {
    expect(lists.length).toBeGreaterThanOrEqual(13);
  });

  // red when: the checksum or the list of a cursor is not checked, or U+0000 in it is rejected as in other text
  it(`returns the first page of every list (${PER_LIST} cursors each)`, async () => {
    for (const route of lists) {
      const first = await page(route);
      expect([route.name, first.status]).toEqual([route.name, 200]);
      for (let n = 0; n < PER_LIST; n++) {
        const cursor = randomCursor(n);
        const { status, text } = await page(route, cursor);
        expect([route.name, cursor, status, text]).toEqual([route.name, cursor, 200, first.text]);
      }
    }
  });
});
