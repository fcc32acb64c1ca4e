import { type NestInterceptor, type Type } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATALOGUE } from '#kernel/errors/catalogue';
import { openApiDocument } from '#app/openapi/openapi-document';
import { accessOf, type Operation } from '#app/openapi/route-docs';
import { credentialAccessOf, type DeclaredRoute, declaredRoutes } from '#app/routes';
import { previewApp } from '../../scripts/reference/preview-app';
import { WITHOUT_IDEMPOTENCY } from '../support/actors/without-idempotency';

const MUTATING = ['POST', 'PUT', 'PATCH', 'DELETE'];

describe('every route', () => {
  let app: NestExpressApplication;
  let document: OpenAPIObject;
  let routes: DeclaredRoute[];
  beforeAll(async () => {
    app = await previewApp();
    document = openApiDocument(app);
    routes = declaredRoutes(app);
  });
  afterAll(() => app.close());

  const operationOf = ({ template, method }: DeclaredRoute): Operation | undefined =>
    (document.paths[template] as Record<string, Operation> | undefined)?.[method.toLowerCase()];

  /** Returns the names of the routes for which the condition is false. */
  const failing = (holds: (route: DeclaredRoute) => unknown): string[] =>
    routes.filter((route) => !holds(route)).map(({ name }) => name);

  // red when: a controller's decorator is removed, or the document and the routes are enumerated differently
  it('is in the document exactly once, without others', () => {
    const operations = Object.entries(document.paths).flatMap(([template, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${template}`),
    );
    expect(operations.sort()).toEqual(routes.map(({ method, template }) => `${method} ${template}`).sort());
    expect(routes.length).toBeGreaterThan(30);
  });

  // red when: @Access is missing
  it('declares its access rule', () => expect(failing(({ access }) => access)).toEqual([]));

  // red when: @Limit is missing
  it('declares its rate-limit class', () => expect(failing(({ limit }) => limit)).toEqual([]));

  // red when: @Access lists no credential, or `pat` without a scope
  it('requires a scope of personal access tokens, and a project role of project access tokens, except about the credential itself', () => {
    const holds = (route: DeclaredRoute): boolean => {
      const access = credentialAccessOf(route);
      if (!access) return true;
      const { by, scope, project, organization, self } = access;
      if (self) return scope === undefined && project === undefined && organization === undefined;
      return (
        by.length > 0 &&
        (by.includes('pat') ? scope !== undefined : scope === undefined) &&
        (!by.includes('project-token') || (project !== undefined && organization === undefined))
      );
    };
    expect(failing(holds)).toEqual([]);
  });

  /** The classes of the interceptors that the method of a route declares, in the order in which a request passes them. */
  const interceptorsOf = ({ name }: DeclaredRoute): string[] => {
    const [controller, method] = name.split('.') as [string, string];
    const controllers = new DiscoveryService(app.get(ModulesContainer)).getControllers();
    const { prototype } = controllers.find(({ metatype }) => metatype?.name === controller)!.metatype!;
    const handler = (prototype as Record<string, object>)[method]!;
    const declared = Reflect.getMetadata(INTERCEPTORS_METADATA, handler) as (Type | NestInterceptor)[] | undefined;
    return (declared ?? []).map((each) => (typeof each === 'function' ? each.name : each.constructor.name));
  };

  // red when: @Heavy stands above @Idempotent, so that requests hold the connections of their transactions while they wait for a place
  it('waits for its turn as a heavy request before it begins a transaction for its key', () => {
    const both = routes.filter(({ limit, idempotent }) => limit === 'heavy' && idempotent);
    expect(both.map(({ name }) => name)).toEqual(['BulkTestersController.run']);
    for (const route of both)
      expect(interceptorsOf(route)).toEqual(['HeavyReadInterceptor', 'HeavyInterceptor', 'IdempotencyInterceptor']);
  });

  // red when: a route that reads much, and is too frequent for @Heavy, holds all connections of its organization
  it('has heavy statements where it reads much, or may do so', () => {
    const long = routes.filter(
      (route) => route.limit !== 'heavy' && interceptorsOf(route).includes('HeavyReadInterceptor'),
    );
    expect(long.map(({ name }) => name).sort()).toEqual([
      'BillingController.usage',
      'BuildFunnelController.count',
      'BuildsController.list',
      'DailyDownloadsController.count',
      'ReleasesController.recipients',
      'TestersController.list',
    ]);
  });

  // red when: @ApiResult is replaced by a plain @HttpCode
  it('has a summary, and a documented success response', () => {
    const hasSuccessResponse = (route: DeclaredRoute): unknown =>
      Object.entries(operationOf(route)?.responses ?? {}).some(([status, response]) => {
        if (status === '204' || status === '301' || status === '302') return true;
        const content = 'content' in response ? (response.content ?? {}) : {};
        return status.startsWith('2') && Object.values(content).some((media) => 'schema' in media);
      });
    expect(failing(hasSuccessResponse)).toEqual([]);
    expect(failing((route) => /^[A-Z].*[^.]$/.test(operationOf(route)?.summary ?? ''))).toEqual([]);
  });

  // red when: a schema is written inline in a controller
  it('refers to a named JSON model', () => {
    const nameless = (route: DeclaredRoute): boolean =>
      Object.entries(operationOf(route)?.responses ?? {}).every(([, response]) => {
        const schema = 'content' in response && (response.content?.['application/json'] as { schema?: object })?.schema;
        return !schema || /#\/components\/schemas\/\w+/.test(JSON.stringify(schema));
      });
    expect(failing(nameless)).toEqual([]);
  });

  // red when: describeRoute does not add errors
  it('documents each declared error under its status', () => {
    const holds = (route: DeclaredRoute): boolean =>
      [...route.errors, 'rate_limit_exceeded', 'internal_error'].every((name) => {
        const { status } = ERROR_CATALOGUE[name as keyof typeof ERROR_CATALOGUE];
        const response = operationOf(route)?.responses[status];
        const reference = response && '$ref' in response ? response.$ref.replace('#/components/responses/', '') : '';
        return reference.split('.').includes(name);
      });
    expect(failing(holds)).toEqual([]);
  });

  // red when: @Idempotent is missing on a route that changes something
  it('accepts Idempotency-Key if it changes something, except login, account, parts and install links', () => {
    const holds = ({ method, path, idempotent }: DeclaredRoute): boolean =>
      (idempotent !== undefined) === (MUTATING.includes(method) && !(`${method} ${path}` in WITHOUT_IDEMPOTENCY));
    expect(failing(holds)).toEqual([]);
  });

  // red when: `x-access` is written by hand or missing
  it('shows its declarations in x-access', () => {
    for (const route of routes)
      expect({ [route.name]: operationOf(route)?.['x-access'] }).toEqual({ [route.name]: accessOf(route) });
  });

  // red when: @Access does not write security
  it('lists the schemes of its credentials in `security`', () => {
    const SCHEMES = {
      jwt: ['access_jwt', 'session_cookie'],
      pat: ['personal_access_token'],
      'project-token': ['project_access_token'],
    };
    // Public routes that read cookies: the body of the first may contain the token instead, and the second never rejects a request.
    const OPTIONAL: Readonly<Record<string, string[]>> = {
      '/login/refresh': ['refresh_cookie'],
      '/login/session': ['refresh_cookie', 'session_cookie'],
    };
    for (const route of routes) {
      const access = credentialAccessOf(route);
      const invite = route.access !== undefined && 'invite' in route.access ? ['invite_token'] : [];
      const refresh = access?.orRefreshToken ? ['refresh_cookie'] : [];
      const optional = OPTIONAL[route.path] ?? [];
      const wanted = [...(access ? access.by.flatMap((kind) => SCHEMES[kind]) : invite), ...refresh, ...optional];
      const given = (operationOf(route)?.security ?? []).flatMap((scheme) => Object.keys(scheme));
      expect({ [route.name]: given.sort() }).toEqual({ [route.name]: wanted.sort() });
    }
  });
});
