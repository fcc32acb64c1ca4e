import { credentialAccessOf, type DeclaredRoute, declaredRoutes } from '#app/routes';
import { type Developer, scope } from '../support/actors/actors';
import { createTenant, type Tenant } from '../support/actors/tenant';
import { updatableApp } from '../support/actors/updatable-app';
import { type TestApp } from '../support/app/test-app';
import { png } from '../support/artifacts/png-writer';
import { ipa } from '../support/artifacts/valid-artifacts';
import { AUDITED_ROUTES, type Sent } from '../support/checks/routes/audited-routes';
import { type OperationAt } from '../support/checks/routes/openapi-conformance';
import { type Ids, idsOf } from '../support/checks/routes/route-requests';
import { nameOf, routeNameOf } from '../support/load/prepared-request';
import { rawRequest } from '../support/load/raw-http';
import { until } from '../support/until';

/** A request that the operation should accept. */
export interface ValidRequest {
  readonly ids: Ids;
  readonly body?: object | string;
  readonly contentType: string;
  readonly authorization: string | null;
}

const tokenOf = (url: string): string => new URL(url).pathname.split('/').at(-1)!;

const exportUrlOf = async (admin: Developer): Promise<string | null> =>
  ((await admin.get('/developers/me/export').expect(200)).body as { export: { url: string | null } | null }).export
    ?.url ?? null;

/** The platforms of the updaters of desktop apps, by a part of their paths. */
const UPDATERS = [
  ['/latest.yml', 'windows'],
  ['/:feed.yml', 'windows'],
  ['/latest-linux', 'linux'],
  ['/latest-mac.yml', 'macos'],
  ['/appcast.xml', 'macos'],
  ['/squirrel', 'macos'],
  ['/tauri/', 'macos'],
] as const;

/** Parameters of the public GET routes. */
async function publicIds(app: TestApp, tenant: Tenant, path: string): Promise<Ids> {
  const { admin, project, build, channel, member } = tenant;
  if (path.startsWith('/updates/')) {
    const [, platform] = UPDATERS.find(([part]) => path.includes(part)) ?? ['', 'ios' as const];
    const installed = {
      app_secret: 'secret',
      group: 'group',
      feed: 'beta',
      target: 'darwin',
      arch: 'aarch64',
      version: '1.0',
    };
    if (path.includes('/latest-linux-'))
      return { ...(await updatableApp(tenant, platform, 'Demo-arm64.AppImage')), arch: 'arm64' };
    const { version, ...published } = await updatableApp(tenant, platform);
    return { ...published, ...installed, ...(path.includes('/files/') && { version }), package_file: 'package.ipa' };
  }
  if (path.startsWith('/download/')) {
    const { body } = await admin.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    const [, , ticket, fileName] = new URL((body as { url: string }).url).pathname.split('/');
    return { ticket: ticket!, file_name: decodeURIComponent(fileName!) };
  }
  if (path.startsWith('/exports/')) {
    let url = await exportUrlOf(admin);
    if (url === null) await admin.post('/developers/me/export', { password: admin.password }).expect(202);
    await until(async () => (url ??= await exportUrlOf(admin)) !== null);
    return { ticket: tokenOf(url ?? '') };
  }
  if (path.startsWith('/icons/')) {
    const file = { bytes: ipa({ icon: png(), info: { CFBundleVersion: '3' } }), fileName: 'Demo.ipa' };
    return { icon_key: tokenOf((await admin.uploads(project, file))['icon_url'] as string) };
  }
  if (path.startsWith('/assets/logos/')) {
    const logo = png().toString('base64');
    const branding = `/organizations/${tenant.organization.id}/branding`;
    const { body } = await admin.request('put', branding).send({ logo }).expect(200);
    return { logo_key: tokenOf((body as { logo_url: string }).logo_url) };
  }
  if (path.startsWith('/assets/')) {
    const { text } = await rawRequest(app.url + new URL(build.install_url).pathname, {
      headers: { Accept: 'text/html' },
    });
    return { asset: /\/assets\/([^"]+)"/.exec(text)![1]! };
  }
  if (path.endsWith('/device/:receipt')) {
    const registers = AUDITED_ROUTES['POST /install/devices/:ticket']!;
    const { ids, body, contentType } = await registers.prepare(app, tenant);
    const { headers } = await rawRequest(`${app.url}/install/devices/${ids!['ticket']}`, {
      method: 'POST',
      headers: { 'Content-Type': contentType! },
      body: body as Buffer,
    });
    return { invite_token: tokenOf(build.install_url), receipt: tokenOf(headers['location']!) };
  }
  const link = path.includes('/builds/') ? channel.install_url : build.install_url;
  return {
    invite_token: tokenOf(link),
    build_id: build.id,
    package_file: 'package.ipa',
    platform: 'ios',
    developer_id: member.id,
  };
}

/** Only the parameters in the path, and those of the query that the route needs: further ones would become the query. */
const namedIn = (path: string, ids: Ids): Ids => {
  const inQuery = path.endsWith('/squirrel') ? ['version'] : [];
  return Object.fromEntries(
    Object.entries(ids).filter(([name]) => path.includes(`:${name}`) || inQuery.includes(name)),
  );
};

/** Creates a valid request for every operation: mutations from the table of audited routes, reads from a tenant's resources. */
export class ValidRequests {
  private readonly routes: readonly DeclaredRoute[];
  private tenant: Tenant | undefined;

  constructor(private readonly app: TestApp) {
    this.routes = declaredRoutes(app.nest);
  }

  /** @param freshTenant use a new tenant, because the previous request used up its resources. */
  async for(at: OperationAt, freshTenant: boolean): Promise<ValidRequest> {
    const route = this.routes.find(({ method, template }) => method === at.method && template === at.path)!;
    for (let retry = freshTenant; ; retry = true) {
      if (!this.tenant || retry) this.tenant = await createTenant(this.app);
      try {
        return await this.requestOf(route, this.tenant);
      } catch (error) {
        if (retry) throw error;
      }
    }
  }

  private async requestOf(route: DeclaredRoute, tenant: Tenant): Promise<ValidRequest> {
    const sent = await this.sentTo(route, tenant);
    const token = sent.token === undefined ? tenant.admin.token : sent.token;
    return {
      ids: sent.ids ?? idsOf(tenant, route),
      ...(sent.body !== undefined && { body: sent.body }),
      contentType: sent.contentType ?? 'application/json',
      authorization: token && `Bearer ${token}`,
    };
  }

  private async sentTo(route: DeclaredRoute, tenant: Tenant): Promise<Sent> {
    const row = Object.keys(AUDITED_ROUTES).find((name) => routeNameOf(name) === nameOf(route));
    if (row) return { body: {}, ...(await AUDITED_ROUTES[row]!.prepare(this.app, tenant)) };
    if (route.path.endsWith('/verify_email')) {
      const verifies = await AUDITED_ROUTES['POST /developers/:developer_id/verify_email']!.prepare(this.app, tenant);
      const { token } = verifies.body as { token: string };
      return { ids: { developer_id: tenant.member.id, token }, token: null };
    }
    if (route.path === '/install/:invite_token/unsubscribe')
      return AUDITED_ROUTES['POST /install/:invite_token/unsubscribe']!.prepare(this.app, tenant);
    if (route.path === '/login/device') {
      const login = await AUDITED_ROUTES['POST /login/device/confirm']!.prepare(this.app, tenant);
      return { ids: login.body as Ids };
    }
    if (credentialAccessOf(route)) return {};
    return { ids: namedIn(route.path, await publicIds(this.app, tenant, route.path)), token: null };
  }
}
