import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';

/** The install link and the build that a request's path names. */
export interface LinkPath {
  readonly token: string;
  /** `null` when the path names no build: then the link's own build or page is meant. */
  readonly buildId: string | null;
}

/** Injects the `LinkPath` of the request. @throws AppError not_found for a malformed build id. */
export const Link = createParamDecorator((_: unknown, execution: ExecutionContext): LinkPath => {
  const { invite_token: token = '', build_id: buildId } = execution.switchToHttp().getRequest<Request>()
    .params as Partial<Record<string, string>>;
  if (buildId !== undefined && !isUuid(buildId)) throw new AppError('not_found');
  return { token, buildId: buildId?.toLowerCase() ?? null };
});
