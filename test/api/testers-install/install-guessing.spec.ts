import { randomUUID } from 'node:crypto';
import { isLinkToken, newLinkToken } from '#kernel/access/token-format';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { InstallLinksService } from '#modules/install-links';
import { type DeclaredRoute, declaredRoutes } from '#app/routes';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { requestRoute } from '../../support/checks/routes/route-requests';
import { tableDigests } from '../../support/checks/table-digests';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';

const GUESSES = 1000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LIMITED = {
  RATE_LIMIT_FACTOR: '1',
  RATE_LIMIT_PAGE: '30',
  RATE_LIMIT_ASSET: '30',
  RATE_LIMIT_DOWNLOAD_BYTES: '30',
};
const PAGES = 30;
/** What the routes of links with rules require, by the last segment of their paths. */
const BODIES: Readonly<Record<string, string>> = {
  unlock: '{"password":"sunny harbour"}',
  'sign-in': '{"email":"tess@example.com"}',
  terms: '{"version":1}',
};

/** The token in the path is the entire credential, so a wrong token must reveal nothing. */
describe('guessed install tokens', () => {
  let app: TestApp;
  let tenant: Tenant;
  let other: Tenant;
  /** The tokens of a build, a channel and a tester. */
  let tokens: string[];
  let routes: DeclaredRoute[];
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    [tenant, other] = await Promise.all([createTenant(app), createTenant(app)]);
    const ctx: RequestContext = {
      requestId: randomUUID(),
      sourceIp: null,
      identity: { kind: 'system', name: 'test' },
      clock: app.clock,
    };
    const scope = { organizationId: tenant.organization.id, projectId: tenant.project.id };
    const mailed = await app.nest.get(InstallLinksService).createForTester(ctx, scope, tenant.testerId);
    tokens = [tenant.build.install_url, tenant.channel.install_url, mailed].map((url) => url.split('/').at(-1) ?? '');
    routes = declaredRoutes(app.nest).filter(({ path }) => path.startsWith('/install/:invite_token'));
  });
  afterAll(() => app.stop());

  const tryAt = (
    route: DeclaredRoute,
    token: string,
    headers: Readonly<Record<string, string>> = {},
    { url } = app,
  ) => {
    const ids = { invite_token: token, build_id: tenant.build.id, platform: 'ios', package_file: 'package.ipa' };
    return requestRoute(url, route, { ids, headers, body: BODIES[route.path.split('/').at(-1) ?? ''] ?? '{}' });
  };
  /** Everything in a response that could distinguish two guesses. */
  const fingerprint = ({ status, headers, text }: RawResponse, token: string): string => {
    const { date: _, 'x-request-id': requestId = '', ...others } = headers;
    return JSON.stringify([
      status,
      others,
      text.replaceAll(String(requestId), '-').replaceAll(token.length < 20 ? '\0' : token, '-'),
    ]);
  };

  /** The tokens with one character changed, at each position, and with the case of each letter changed. */
  const nearMisses = (): string[] =>
    tokens.flatMap((token) =>
      [...token].flatMap((char, at) =>
        [ALPHABET.charAt((ALPHABET.indexOf(char) + 1) % 64), char.toUpperCase(), char.toLowerCase()]
          .filter((changed) => changed !== char)
          .map((changed) => token.slice(0, at) + changed + token.slice(at + 1)),
      ),
    );
  const malformed = (): string[] => [
    ...['x', 'null', '__proto__', '*', '%25', '%00', '%20', '..%2f', '%C3%A9', '%27%20OR%201%3D1--', '%F0%9F%92%8E'],
    ...['A'.repeat(42), 'A'.repeat(44), 'A'.repeat(2000), '%2e%2e%2f'.repeat(5)],
    ...tokens.flatMap((token) => [
      ...[token.slice(1), token.slice(0, -1), `${token}A`, `${token}=`, `${token}.`, `${token}.html`, `${token};a=b`],
      ...[
        `${token}%00`,
        `${token}%20`,
        `%20${token}`,
        `${token}%0D%0A`,
        `${token}%2F`,
        `..%2F${token}`,
        `${token}%3Fa`,
      ],
      ...[
        `${token}${token}`,
        `${token},${token}`,
        token.replace(/^./, (char) => `%${char.charCodeAt(0).toString(16)}%00`),
      ],
    ]),
  ];
  /** Values that an attacker may know: ids, digests from a stolen database, other credentials. */
  const knownValues = async (): Promise<string[]> => {
    const rows = await app.sql<{ id: string; digest: Buffer }>('SELECT id, digest FROM invite');
    const ids = [tenant, other].flatMap(({ organization, project, build, channel, release, testerId }) => [
      ...[organization, project, build, channel, release].map(({ id }) => id),
      testerId,
    ]);
    return [
      ...[...ids, ...rows.map(({ id }) => id)].flatMap((id) => [id, id.replaceAll('-', ''), id.padEnd(43, '-')]),
      ...rows.flatMap(({ digest }) => [digest.toString('base64url'), digest.toString('hex')]),
      ...[tenant.projectToken.token, tenant.pat.token, tenant.admin.token, build64(tenant.build.sha256)],
    ];
  };
  const build64 = (sha256: string): string => Buffer.from(sha256, 'hex').toString('base64url');

  // red when: a malformed token, or a token of another kind, gets another message; a lookup does not use the whole digest
  it(`get one identical response with the same number of queries for ${GUESSES} guesses, and change nothing`, async () => {
    const derived = [...nearMisses(), ...malformed(), ...(await knownValues())];
    const guesses = [...derived, ...Array.from({ length: GUESSES - derived.length }, newLinkToken)];
    expect([guesses.length, routes.length > 15]).toEqual([GUESSES, true]);
    const manager = jest.spyOn(app.nest.get(Transactions), 'manager');
    const outcomeOf = async (route: DeclaredRoute, token: string): Promise<[response: string, lookups: number]> => {
      manager.mockClear();
      const response = fingerprint(await tryAt(route, token), token);
      return [response, manager.mock.calls.length];
    };
    const expectedOutcomes = new Map<string, [string, number]>();
    for (const route of routes) expectedOutcomes.set(route.name, await outcomeOf(route, newLinkToken()));
    expect([...expectedOutcomes.values()].filter(([response]) => !response.startsWith('[404,'))).toEqual([]);
    const before = await tableDigests(app);
    const differences: unknown[] = [];
    for (const [index, guess] of guesses.entries()) {
      const route = routes[(index * 7) % routes.length] as DeclaredRoute;
      const [response, lookups] = await outcomeOf(route, guess);
      const [expectedResponse, tokenLookups] = expectedOutcomes.get(route.name) ?? [];
      // A malformed token is not looked up. That reveals nothing, because the format is known.
      const expectedLookups = isLinkToken(guess) ? tokenLookups : 0;
      if (response !== expectedResponse || lookups !== expectedLookups)
        differences.push({ route: route.name, guess, response, lookups });
    }
    manager.mockRestore();
    expect(differences).toEqual([]);
    expect(await tableDigests(app)).toEqual(before);
  });

  it('get one identical page in a browser', async () => {
    const page = routes.find(
      ({ method, path }) => method === 'GET' && path === '/install/:invite_token',
    ) as DeclaredRoute;
    const guesses = [newLinkToken(), ...nearMisses().slice(0, 3), ...malformed().slice(0, 4), tenant.channel.id];
    const pages = await Promise.all(
      guesses.map(async (guess) => fingerprint(await tryAt(page, guess, { Accept: 'text/html' }), guess)),
    );
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toMatch(/^\[404,.*text\/html/);
  });

  it('get the same response as valid tokens on paths of other routes', async () => {
    const paths = (token: string): string[] => [
      ...[`//install/${token}`, `/installs/${token}`, `/api/v1/install/${token}`, `/install?invite_token=${token}`],
      ...[`/install/x?invite_token=${token}`, `/install/x/..%2f${token}`, `/install/${token}%2fqr.svg`],
      ...[`/download/${token}`, `/download/${token}/Demo.ipa`, `/assets/${token}`],
      `/install/${token}/builds/${other.build.id}`,
    ];
    for (const token of tokens) {
      const fake = newLinkToken();
      for (const [index, path] of paths(token).entries()) {
        const response = fingerprint(await rawRequest(app.url + path), token);
        expect([path, response]).toEqual([path, fingerprint(await rawRequest(app.url + paths(fake)[index]), fake)]);
        expect([path, response]).toEqual([path, expect.stringMatching(/^\[404,/)]);
      }
    }
  });

  // red when: install routes have no rate limit, or are counted per token
  it('count towards the rate limit of a route and source address, which then also rejects a valid token', async () => {
    const limited = await TestApp.start({
      environment: { ...LIMITED, TRUST_PROXY: '127.0.0.1' },
      beside: app,
      worker: false,
    });
    try {
      const from = (address: string) => ({ 'X-Forwarded-For': address });
      const statuses: number[] = [];
      const page = routes.find(({ path }) => path === '/install/:invite_token')!;
      for (let guess = 0; guess < PAGES + 10; guess++) {
        statuses.push((await tryAt(page, newLinkToken(), from('203.0.113.7'), limited)).status);
      }
      expect(statuses).toEqual([...Array<number>(PAGES).fill(404), ...Array<number>(10).fill(429)]);
      const open = (address: string) => rawRequest(`${limited.url}/install/${tokens[0]}`, { headers: from(address) });
      expect((await open('203.0.113.7')).status).toBe(429);
      expect((await open('203.0.113.8')).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});
