import { type INestApplication } from '@nestjs/common';
import { StartupError } from '#kernel/errors/startup-error';
import { declaredRoutes } from './routes';

/** A route that does not say who may use it, and how often, does not start (contract §2). */
export function refuseUndeclaredRoutes(app: INestApplication): void {
  const undeclared = declaredRoutes(app).filter(({ access, limit }) => !access || !limit);
  if (undeclared.length === 0) return;
  throw new StartupError(`Without @Access or @Limit: ${undeclared.map(({ name }) => name).join(', ')}`);
}
