import { randomUUID } from 'node:crypto';
import { newLinkToken } from '#kernel/access/token-format';
import { type DeclaredRoute, declaredRoutes } from '#app/routes';
import { type BuildJson, type ProjectCredential, type ProjectRef, scope } from '../../support/actors/actors';
import { createsLink, type LinkJson, pathOfLink } from '../../support/actors/link-visitor';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';

const CANARY = `canary${randomUUID().replaceAll('-', '')}`;

const MODES = {
  open: { terms: 'Do not share it.' },
  password: { access: 'password', password: 'sunny harbour' },
  sign_in: { access: 'sign_in' },
  members: { access: 'members' },
} as const;
type Mode = keyof typeof MODES;

/** The routes that open a link. Without a grant they ask again, and show nothing. */
const GATES: Readonly<Record<string, Record<string, string>>> = {
  unlock: { password: 'rainy harbour' },
  'sign-in': { email: 'tess@example.com' },
  terms: { version: '7' },
};

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1';

describe('the routes below a link with rules', () => {
  let app: TestApp;
  /** Has no session, which would end when the clock advances. */
  let ci: ProjectCredential;
  let project: ProjectRef;
  let build: BuildJson;
  let routes: DeclaredRoute[];
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    const ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization(), CANARY);
    build = await ann.uploads(project, { bytes: ipa({ info: { CFBundleDisplayName: CANARY } }), fileName: 'Demo.ipa' });
    ci = app.ci(await ann.createsToken(project, 'MANAGE_RELEASES'));
    routes = declaredRoutes(app.nest).filter(({ path }) => path.startsWith('/install/:invite_token'));
  });
  afterAll(() => app.stop());

  const lastOf = ({ path }: DeclaredRoute): string => path.split('/').at(-1) ?? '';
  const grantOf = async (link: LinkJson): Promise<string> => {
    const { body } = await ci.post(`/links/${link.id}/grant?${scope(project)}`).expect(201);
    return new URL((body as { url: string }).url).pathname.split('/').at(-1)!;
  };
  const pathsOf = (route: DeclaredRoute, base: string): string =>
    route.path
      .replace('/install/:invite_token', base)
      .replace(':build_id', build.id)
      .replace(':platform', 'ios')
      .replace(':package_file', 'package.ipa')
      .replace(':device_id', randomUUID())
      .replace(':receipt', 'x');
  const send = (route: DeclaredRoute, base: string, accept: string): Promise<RawResponse> => {
    const isChange = route.method === 'POST';
    const body = new URLSearchParams(GATES[lastOf(route)] ?? {}).toString();
    return rawRequest(app.url + pathsOf(route, base), {
      method: route.method,
      headers: {
        Accept: accept,
        'User-Agent': IPHONE,
        ...(isChange && {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': String(body.length),
        }),
      },
      ...(isChange && { body }),
    });
  };
  const comparable = ({ status, headers, text }: RawResponse, ...bases: readonly string[]): object => {
    const { date: _, 'x-request-id': id, 'cache-control': _cache, 'content-length': _length, ...others } = headers;
    const addresses = bases.flatMap((base) => [base, ...base.split('/g/').slice(0, 1)]);
    const shown = addresses.reduce((left, address) => left.replaceAll(address, '-'), text.replaceAll(String(id), '-'));
    return { status, others, text: shown };
  };

  // red when: a route does not resolve its link through LinkResolverService.resolve; a grant is opened without its link, version or time
  it.each(Object.keys(MODES) as Mode[])(
    'respond to a visitor of a link with access %s as those of an unknown link, without a valid grant',
    async (mode) => {
      const [link, other] = [
        await createsLink(ci, project, { build_id: build.id, ...MODES[mode] }),
        await createsLink(ci, project, { build_id: build.id, ...MODES[mode] }),
      ];
      const outdated = await grantOf(link);
      await ci.patch(`/links/${link.id}?${scope(project)}`, { max_downloads: 100 }).expect(200);
      const bare = pathOfLink(link);
      const present = await grantOf(link);
      const visits = {
        none: bare,
        foreign: `${bare}/g/${await grantOf(other)}`,
        outdated: `${bare}/g/${outdated}`,
        malformed: `${bare}/g/x`,
        expired: `${bare}/g/${present}`,
      };
      const unknownLink = `/install/${newLinkToken()}`;
      let compared = 0;
      for (const [visit, base] of Object.entries(visits)) {
        // The other grants have not expired when they are used.
        if (visit === 'expired') await app.clock.advance({ minutes: 31 });
        for (const route of routes) {
          const isPage = route.path === '/install/:invite_token';
          const isGate = visit === 'none' && (lastOf(route) in GATES || isPage);
          for (const accept of ['text/html', 'application/json']) {
            const response = await send(route, base, accept);
            const name = `${visit} ${route.method} ${route.path} ${accept}`;
            expect([name, response.text.includes(CANARY), response.text.includes(build.id)]).toEqual([
              name,
              false,
              false,
            ]);
            if (isGate) continue;
            // The page below a grant that is not valid is that of the link, where the visitor begins again.
            const unknown = visit === 'none' ? unknownLink : `${unknownLink}/g/x`;
            const from = isPage ? bare : unknown;
            const reference = { ...(await send(route, from, accept)), status: 404 };
            expect({ name, ...comparable(response, base, bare) }).toEqual({ name, ...comparable(reference, from) });
            expect([name, response.status]).toEqual([name, 404]);
            compared += 1;
          }
        }
      }
      expect(compared).toBeGreaterThan(200);
    },
    120_000,
  );

  // red when: the test above uses paths that do not exist
  it.each(Object.keys(MODES) as Mode[])('serve a visitor of a link with access %s who has a grant', async (mode) => {
    const link = await createsLink(ci, project, { build_id: build.id, ...MODES[mode] });
    const base = `${pathOfLink(link)}/g/${await grantOf(link)}`;
    const served: Record<string, number> = {};
    for (const route of routes.filter(({ method }) => method !== 'POST')) {
      const response = await send(route, base, 'text/html');
      served[`${route.method} ${route.path.replace('/install/:invite_token', '')}`] = response.status;
      const head = await send({ ...route, method: 'HEAD' }, base, 'text/html');
      for (const { status, headers } of [response, head])
        if (status === 200) expect([route.path, headers['cache-control']]).toEqual([route.path, 'no-store']);
    }
    expect(served).toMatchObject({
      'GET ': 200,
      'GET /manifest.plist': 200,
      'HEAD /manifest.plist': 200,
      'GET /icon.png': 200,
      'GET /qr.svg': 200,
      'GET /qr.png': 200,
      'HEAD /:package_file': 200,
      'GET /:package_file': 302,
      'GET /builds/:build_id': 200,
      'GET /builds/:build_id/manifest.plist': 200,
      'GET /builds/:build_id/:package_file': 302,
      'GET /latest/:platform': 302,
      'GET /latest/:platform/package': 302,
      'GET /device': 200,
      'GET /device.mobileconfig': 200,
    });
  });
});
