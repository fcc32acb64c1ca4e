import { type INestApplication, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { ACCESS_KEY, type AccessRule, type CredentialAccess, isCredentialAccess } from '#infra/http/access';
import { type ErrorCase } from '#kernel/errors/catalogue';
import { FOR_PEOPLE_KEY } from '#infra/http/response/api-responses';
import { ERRORS_KEY } from '#infra/http/response/api-errors';
import { IDEMPOTENT_KEY, type IdempotentOptions } from '#infra/idempotency/idempotent';
import { LIMIT_KEY, type LimitClassName } from '#infra/rate-limit/limits';

/** A route of the application with everything that is declared on it. */
export interface DeclaredRoute {
  /** `BuildsController.list` */
  readonly name: string;
  readonly method: string;
  /** Without the global prefix: `/builds/:build_id`. */
  readonly path: string;
  /** As the router knows it: `/api/v1/builds/:build_id`. */
  readonly pattern: string;
  /** As the OpenAPI document writes it: `/api/v1/builds/{build_id}`. */
  readonly template: string;
  readonly access: AccessRule | undefined;
  readonly limit: LimitClassName | undefined;
  readonly errors: readonly ErrorCase[];
  readonly idempotent: IdempotentOptions | undefined;
  /** Whether people come to it with a browser: they see its errors as pages. */
  readonly forPeople: boolean;
}

export const API_PREFIX = 'api/v1';

/** The first part of the paths that are not of the API: what testers' browsers and installers see. */
export const OUTSIDE_THE_API = ['install', 'download', 'assets'];

const isOfTheApi = (path: string): boolean => !OUTSIDE_THE_API.includes(path.split('/')[1] ?? '');

/** Paths where there is nobody but people with a browser, whether or not there is a route: all but the API and the assets. */
export const FOR_PEOPLE_ONLY = new RegExp(`^/(?!${API_PREFIX}([/?]|$)|assets/)`);

/** The declaration of a route that wants a credential; null for one that does not. */
export const credentialAccessOf = ({ access }: DeclaredRoute): CredentialAccess | null =>
  access && isCredentialAccess(access) ? access : null;

/** Whether the route asks billing for admission. */
export const isGated = ({ access }: DeclaredRoute): boolean =>
  access !== undefined && 'gated' in access && access.gated === true;

/** Whether the route wants a verified e-mail: by default, if it changes something (specification §3). */
export function needsVerified(route: DeclaredRoute): boolean {
  const access = credentialAccessOf(route);
  return access !== null && (access.verified ?? !['GET', 'HEAD'].includes(route.method));
}

type Handler = (...args: unknown[]) => unknown;

/** Every route, read from the controllers' classes: nothing needs to have been started. */
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
  const pattern = `${isOfTheApi(path) ? `/${API_PREFIX}` : ''}${path}`;
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
    forPeople: FOR_PEOPLE_ONLY.test(pattern) || read(FOR_PEOPLE_KEY) === true,
  };
}
