import { type DeclaredRoute, declaredRoutes } from '#app/routes';
import { scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { OpenApiConformance, type OperationAt } from '../../support/checks/routes/openapi-conformance';
import { errorOf, idsOf, pathOf } from '../../support/checks/routes/route-requests';
import { rawRequest } from '../../support/load/raw-http';

/** A page; the audit feed calls its items events. */
interface ListBody {
  readonly items?: readonly unknown[];
  readonly events?: readonly unknown[];
}

const itemsOf = ({ items, events }: ListBody): readonly unknown[] => items ?? events ?? [];

describe('the limit parameter', () => {
  let app: TestApp;
  let tenant: Tenant;
  let lists: DeclaredRoute[];
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    // Every operation that responds with a page is a list, whether or not it documents a limit.
    const conformance = new OpenApiConformance(app.nest);
    const isList = ({ operation }: OperationAt): boolean => {
      const schema = operation.responses['200']?.content?.['application/json']?.schema;
      return (
        schema !== undefined && Object.keys(conformance.resolve(schema)['properties'] ?? {}).includes('next_cursor')
      );
    };
    const paths = conformance.operations.filter(isList).map(({ path }) => path);
    lists = declaredRoutes(app.nest).filter(({ method, template }) => method === 'GET' && paths.includes(template));
  });
  afterAll(() => app.stop());

  /** The number of items, or the error code, of each list for a query. */
  async function resultsFor(query: string): Promise<Record<string, number | string | undefined>> {
    const responses: Record<string, number | string | undefined> = {};
    for (const route of lists) {
      const path = pathOf(route, idsOf(tenant, route));
      const response = await rawRequest(`${app.url}${path}${path.includes('?') ? '&' : '?'}${query}`, {
        headers: { Authorization: `Bearer ${tenant.admin.token}` },
      });
      responses[route.name] =
        response.status === 200 ? itemsOf(JSON.parse(response.text) as ListBody).length : errorOf(response)?.error;
    }
    return responses;
  }

  // red when: a list (for example BillingController.ledger) parses its limit with a query class of its own
  it.each(['0', '-1', 'NaN', 'Infinity', '1.5', '', '1e3', '0x10', '%201', '١', '+5', '5&limit=5000'])(
    'is rejected by every list when it is "%s"',
    async (limit) => {
      const responses = Object.values(await resultsFor(`limit=${limit}`));
      expect(responses.length).toBeGreaterThan(8);
      expect([...new Set(responses)]).toEqual(['validation_error']);
    },
  );

  it('limits every list', async () => {
    const responses = Object.values(await resultsFor('limit=1'));
    expect(responses.filter((items) => items !== 0 && items !== 1)).toEqual([]);
    expect(responses).toContain(1);
  });

  // red when: toLimit does not cap the value, or rejects one with too many digits
  it('is capped at 1000 by every list', async () => {
    const { admin, project } = tenant;
    const testers = (count: number, mark: string) =>
      admin.post(`/testers/batch?${scope(project)}`, {
        testers: Array.from({ length: count }, (_, n) => ({ email: `${mark}.${n}@tester.example.com` })),
      });
    await testers(1001, 'many').expect(400);
    await testers(1000, 'many').expect(200);
    for (const limit of [
      '1000',
      '1001',
      '1000000000',
      '9007199254740991',
      '9'.repeat(20),
      '9'.repeat(400),
      '0001001',
    ]) {
      const responses = await resultsFor(`limit=${limit}`);
      expect(Object.entries(responses).filter(([, items]) => typeof items !== 'number' || items > 1000)).toEqual([]);
      expect(responses['TestersController.list']).toBe(1000);
    }
  });
});
