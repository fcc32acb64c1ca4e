import { ValidRequests } from '../../fuzz/valid-requests';
import { wireRequest } from '../../fuzz/wire-request';
import { ON_THIS_MACHINE } from '../../support/actors/byosa';
import { TestApp } from '../../support/app/test-app';
import { OpenApiConformance, type OperationAt } from '../../support/checks/routes/openapi-conformance';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';

/** Public keys, which verifiers fetch often, and what installed apps poll. */
const CACHED = [
  'Jwks_keys',
  'Settings_find',
  'UpdateCheck_check',
  'AppCenter_latest',
  'AppCenter_latestOfGroup',
  'Feeds_squirrel',
  'Feeds_tauri',
];

/** Features that are not configured here: captcha and Stripe. */
const UNCONFIGURED = ['Captcha_open', 'TopUps_notify'];

const isFile = (type = ''): boolean => !/^application\/(json|problem)|^text\/html/.test(type);

/** Each operation is requested once successfully, once with an invalid credential and once anonymously. */
describe('the headers of every response', () => {
  let app: TestApp;
  let asked: TestApp;
  let operations: readonly OperationAt[];
  beforeAll(async () => {
    app = await TestApp.start({ environment: ON_THIS_MACHINE });
    asked = await TestApp.start({
      beside: app,
      environment: { BASE_URL: 'https://agate.example.com', ...ON_THIS_MACHINE },
    });
    ({ operations } = new OpenApiConformance(app.nest));
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await asked.stop();
    await app.stop();
  });

  const faultsOf = ({ operation }: OperationAt, { headers, status }: RawResponse): string[] => {
    // Only files, public keys, public settings and what apps poll may be cached.
    const mayBeStored = CACHED.includes(operation.operationId) || (status < 300 && isFile(headers['content-type']));
    const wanted: readonly (readonly [string, boolean])[] = [
      ['nosniff', headers['x-content-type-options'] === 'nosniff'],
      ['cannot be framed', /frame-ancestors 'none'|sandbox/.test(String(headers['content-security-policy']))],
      ['no inline scripts', !/script-src[^;]*'unsafe-inline'/.test(String(headers['content-security-policy']))],
      ['no referrer', headers['referrer-policy'] === 'no-referrer'],
      ['https only', /max-age=\d{7,}/.test(headers['strict-transport-security'] ?? '')],
      ['request id', headers['x-request-id'] !== undefined],
      ['does not reveal the server', headers['x-powered-by'] === undefined && headers['server'] === undefined],
      ['not stored', mayBeStored || /no-store/.test(headers['cache-control'] ?? '')],
      ['HttpOnly cookies', [headers['set-cookie'] ?? []].flat().every((each) => /HttpOnly/i.test(each))],
    ];
    return wanted.filter(([, holds]) => !holds).map(([name]) => name);
  };

  // red when: a middleware responds before defaultHeaders; ErrorPresenter, pageHeaders or blob-response sets a weaker
  // header; SessionCookies does not set httpOnly; helmet has `hsts: false`
  it('are the secure defaults for every caller', async () => {
    const validRequests = new ValidRequests(app);
    const faults: string[] = [];
    /** @returns whether the operation succeeded. */
    const request = async (at: OperationAt, freshTenant: boolean): Promise<boolean> => {
      const { ids, body, contentType, authorization } = await validRequests.for(at, freshTenant);
      const parts = {
        ids,
        headers: { ...(at.operation.requestBody && { 'Content-Type': contentType }) },
        body:
          at.operation.requestBody &&
          (typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body),
      };
      const statuses: number[] = [];
      for (const credential of [authorization, 'Bearer x.y.z', null]) {
        const wire = wireRequest(at, credential, parts);
        const response = await rawRequest(asked.url + wire.path, wire);
        const found = faultsOf(at, response);
        if (found.length > 0) faults.push(`${at.operation.operationId} ${response.status}: ${found.join(', ')}`);
        statuses.push(response.status);
      }
      return statuses[0]! < 400;
    };
    for (const at of operations) {
      const { operationId } = at.operation;
      // A fresh tenant has what an earlier operation used up.
      const isDone = (await request(at, false)) || UNCONFIGURED.includes(operationId) || (await request(at, true));
      if (!isDone) faults.push(`${operationId}: never succeeded`);
    }
    expect(faults).toEqual([]);
  });
});
