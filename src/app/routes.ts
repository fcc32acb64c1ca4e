import { type INestApplication, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ACCESS_KEY, type AccessRule } from '#platform/security/access';
import { type ErrorCode } from '#kernel/errors/catalogue';
import { ERRORS_KEY } from '#platform/http/errors';
import { IDEMPOTENT_KEY, type IdempotentOptions } from '#platform/idempotency/idempotent';
import { LIMIT_KEY, type LimitClassName } from '#platform/rate-limit/limits';

/** A route of the application with everything that is declared on it. */
export interface DeclaredRoute {
  /** `BuildsController.create` */
  readonly name: string;
  readonly method: string;
  /** Without the global prefix: `/builds/:build_id`. */
  readonly path: string;
  readonly access: AccessRule | undefined;
  readonly limit: LimitClassName | undefined;
  readonly errors: readonly ErrorCode[];
  readonly idempotent: IdempotentOptions | undefined;
}

type Handler = (...args: unknown[]) => unknown;

/** Every route, read from the controllers themselves. */
export function declaredRoutes(app: INestApplication): DeclaredRoute[] {
  const scanner = new MetadataScanner();
  return app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype, instance }) => {
      const prototype = Object.getPrototypeOf(instance) as Record<string, Handler>;
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
  return {
    name,
    method: RequestMethod[read<number>(METHOD_METADATA)] ?? 'GET',
    path,
    access: read(ACCESS_KEY),
    limit: read(LIMIT_KEY),
    errors: read(ERRORS_KEY) ?? [],
    idempotent: read(IDEMPOTENT_KEY),
  };
}
