import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';

/** What the path of a request names: an install link, and one of the builds behind it or, null, what the link is about. */
export interface LinkPath {
  readonly token: string;
  readonly buildId: string | null;
}

/** The `LinkPath` of a route. @throws AppError not_found for a build id that is none. */
export const Link = createParamDecorator((_: unknown, execution: ExecutionContext): LinkPath => {
  const { invite_token: token = '', build_id: buildId } = execution.switchToHttp().getRequest<Request>()
    .params as Partial<Record<string, string>>;
  if (buildId !== undefined && !isUuid(buildId)) throw new AppError('not_found');
  return { token, buildId: buildId?.toLowerCase() ?? null };
});
