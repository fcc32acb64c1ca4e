import { type ExecutionContext, Injectable } from '@nestjs/common';
import { type Viewer } from '#kernel/audit/change';
import { developerOf } from '#kernel/context/request-context';
import { type AppRequest } from '#infra/http/request/app-request';
import { AccessGuard, AccessService } from '#modules/access';
import { AuthenticationGuard } from '#modules/auth';

/** Determines the caller of a stream, when it opens and again while it is open. */
@Injectable()
export class Viewers {
  constructor(
    private readonly authentication: AuthenticationGuard,
    private readonly accessGuard: AccessGuard,
    private readonly access: AccessService,
  ) {}

  /**
   * Repeats the guards of a request with its credential.
   * @throws AppError the error with which the guards would reject the same request now.
   */
  async again(execution: ExecutionContext, organizationId: string): Promise<Viewer> {
    await this.authentication.canActivate(execution);
    await this.accessGuard.canActivate(execution);
    const ctx = execution.switchToHttp().getRequest<AppRequest>().context;
    return { identity: developerOf(ctx), roles: await this.access.memberRoles(ctx, organizationId) };
  }
}
