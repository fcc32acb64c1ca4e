import { ValidRequests } from '../../fuzz/valid-requests';
import { wireRequest } from '../../fuzz/wire-request';
import { ON_THIS_MACHINE } from '../../support/actors/byosa';
import { OpenApiConformance, type OperationAt } from '../../support/checks/openapi-conformance';
import { type RawResponse, rawRequest } from '../../support/load/raw-http';
import { TestApp } from '../../support/app/test-app';

/** Public keys, which every verifier reads again and again. */
const CACHED = ['Jwks_keys'];

/** What is configured nowhere here: a captcha, and Stripe. */
const ABSENT = ['Captcha_open', 'TopUps_notify'];

const isFile = (type = ''): boolean => !/^application\/(json|problem)|^text\/html/.test(type);

/** Every operation, once as it should be asked and once by nobody (reliability K6). */
describe('the headers of every answer', () => {
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
    // Metadata, pages, errors and redirections to tickets are kept by nobody; files have rules of their own.
    const mayBeStored = CACHED.includes(operation.operationId) || (status < 300 && isFile(headers['content-type']));
    const wanted: readonly (readonly [string, boolean])[] = [
      ['nosniff', headers['x-content-type-options'] === 'nosniff'],
      ['framed by nobody', /frame-ancestors 'none'|sandbox/.test(String(headers['content-security-policy']))],
      ['no script inline', !/script-src[^;]*'unsafe-inline'/.test(String(headers['content-security-policy']))],
      ['no referrer', headers['referrer-policy'] === 'no-referrer'],
      ['https only', /max-age=\d{7,}/.test(headers['strict-transport-security'] ?? '')],
      ['a request id', headers['x-request-id'] !== undefined],
      ['says not what it is made of', headers['x-powered-by'] === undefined && headers['server'] === undefined],
      ['not stored', mayBeStored || /no-store/.test(headers['cache-control'] ?? '')],
      [
        'cookies that scripts cannot read',
        [headers['set-cookie'] ?? []].flat().every((each) => /HttpOnly/i.test(each)),
      ],
    ];
    return wanted.filter(([, holds]) => !holds).map(([name]) => name);
  };

  // red when: a middleware answers before securityHeaders; ErrorPresenter, pageHeaders or blob-response sets a weaker header of its own;
  // SessionCookies sets no httpOnly; helmet is told `hsts: false`
  it('are those that keep it safe, whoever asks', async () => {
    const right = new ValidRequests(app);
    const faults: string[] = [];
    /** @returns whether the operation did what it is for. */
    const asks = async (at: OperationAt, anew: boolean): Promise<boolean> => {
      const { ids, body, contentType, authorization } = await right.for(at, anew);
      const parts = {
        ids,
        headers: { ...(at.operation.requestBody && { 'Content-Type': contentType }) },
        body: at.operation.requestBody && (typeof body === 'object' ? JSON.stringify(body) : body),
      };
      const statuses: number[] = [];
      for (const who of [authorization, 'Bearer x.y.z', null]) {
        const request = wireRequest(at, who, parts);
        const answer = await rawRequest(asked.url + request.path, request);
        const found = faultsOf(at, answer);
        if (found.length > 0) faults.push(`${at.operation.operationId} ${answer.status}: ${found.join(', ')}`);
        statuses.push(answer.status);
      }
      return statuses[0]! < 400;
    };
    for (const at of operations) {
      const { operationId } = at.operation;
      // What another operation has used up is there again in another tenant.
      const isDone = (await asks(at, false)) || ABSENT.includes(operationId) || (await asks(at, true));
      if (!isDone) faults.push(`${operationId}: never done`);
    }
    expect(faults).toEqual([]);
  });
});
