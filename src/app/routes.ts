import { type INestApplication, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { type ErrorCase } from '#kernel/errors/catalogue';
import { StartupError } from '#kernel/errors/startup-error';
import { ACCESS_KEY, type AccessRule, type CredentialAccess, isCredentialAccess } from '#infra/http/access';
import { DOCS_KEY, type OperationDocs } from '#infra/http/describe';
import { BODY_LIMIT_KEY, type BodyLimitOptions } from '#infra/http/request/body-parsers';
import { ERRORS_KEY, SERVES_HTML_KEY } from '#infra/http/response/api-responses';
import { IDEMPOTENT_KEY, type IdempotentOptions } from '#infra/idempotency/idempotent-work';
import { LIMIT_KEY, type LimitClassName } from '#infra/rate-limit/limits';

/** A route and all its declarations. */
export interface DeclaredRoute {
  /** `BuildsController.list` */
  readonly name: string;
  readonly method: string;
  /** Path without the global prefix: `/builds/:build_id`. */
  readonly path: string;
  /** Pattern of the router: `/api/v1/builds/:build_id`. */
  readonly pattern: string;
  /** Path in the OpenAPI document: `/api/v1/builds/{build_id}`. */
  readonly template: string;
  readonly access: AccessRule | undefined;
  readonly limit: LimitClassName | undefined;
  readonly errors: readonly ErrorCase[];
  readonly idempotent: IdempotentOptions | undefined;
  /** Limit of the body, if not the default. */
  readonly bodyLimit: BodyLimitOptions | undefined;
  /** Whether browsers open the route, so that its errors are HTML pages. */
  readonly servesHtml: boolean;
  /** The route's entry in the controller's `@Describe`. */
  readonly docs: OperationDocs | undefined;
}

export const API_PREFIX = 'api/v1';

/** First segments of the paths outside the API prefix, which browsers and installers of testers request. */
export const OUTSIDE_THE_API = ['install', 'download', 'updates', 'assets', 'icons'];

const isApiPath = (path: string): boolean => !OUTSIDE_THE_API.includes(path.split('/')[1] ?? '');

/** What installed apps request. The page below an update key is for people. */
const REQUESTED_BY_APPS = 'updates/(?![^/?]+/install([/?]|$))';

/** Paths that only browsers request, whether or not a route exists: all except the API, static files, icons and what apps and agents request. */
export const HTML_ONLY_PATHS = new RegExp(
  `^/(?!${API_PREFIX}([/?]|$)|assets/|icons/|static/|mcp([/?]|$)|\\.well-known/|${REQUESTED_BY_APPS})`,
);

/** Returns the access rule of a route that requires a credential. Null for other routes. */
export const credentialAccessOf = ({ access }: DeclaredRoute): CredentialAccess | null =>
  access && isCredentialAccess(access) ? access : null;

/** Whether the route requires admission by billing. */
export const isGated = ({ access }: DeclaredRoute): boolean =>
  access !== undefined && 'gated' in access && access.gated === true;

/** Whether the route requires a verified e-mail. Default: true for methods that change something. */
export function needsVerified(route: DeclaredRoute): boolean {
  const access = credentialAccessOf(route);
  return access !== null && (access.verified ?? !['GET', 'HEAD'].includes(route.method));
}

type Handler = (...args: unknown[]) => unknown;

/** Returns all routes from the metadata of the controller classes. The application need not be started. */
export function declaredRoutes(app: INestApplication): DeclaredRoute[] {
  const scanner = new MetadataScanner();
  return new DiscoveryService(app.get(ModulesContainer)).getControllers().flatMap(({ metatype }) => {
    const prototype = metatype?.prototype as Record<string, Handler>;
    const base = String(Reflect.getMetadata(PATH_METADATA, metatype as object) ?? '');
    return scanner
      .getAllMethodNames(prototype)
      .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name] as Handler))
      .map((name) => routeOf(`${metatype?.name}.${name}`, base, prototype[name] as Handler));
  });
}

function routeOf(name: string, base: string, handler: Handler): DeclaredRoute {
  const read = <T>(key: string): T => Reflect.getMetadata(key, handler) as T;
  const path = `/${base}/${read<string>(PATH_METADATA)}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  const pattern = `${isApiPath(path) ? `/${API_PREFIX}` : ''}${path}`;
  return {
    name,
    method: RequestMethod[read<number>(METHOD_METADATA)] ?? 'GET',
    path,
    pattern,
    template: pattern.replace(/:(\w+)/g, '{$1}'),
    access: read(ACCESS_KEY),
    limit: read(LIMIT_KEY),
    errors: read(ERRORS_KEY) ?? [],
    idempotent: read(IDEMPOTENT_KEY),
    bodyLimit: read(BODY_LIMIT_KEY),
    servesHtml: HTML_ONLY_PATHS.test(pattern) || read(SERVES_HTML_KEY) === true,
    docs: read(DOCS_KEY),
  };
}

/** @throws StartupError when a route lacks @Access or @Limit. */
export function rejectUndeclaredRoutes(app: INestApplication): void {
  const undeclared = declaredRoutes(app).filter(({ access, limit }) => !access || !limit);
  if (undeclared.length === 0) return;
  throw new StartupError(`Routes without @Access or @Limit: ${undeclared.map(({ name }) => name).join(', ')}`);
}
