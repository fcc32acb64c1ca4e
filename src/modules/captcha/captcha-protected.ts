import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { Errors } from '#infra/http/response/api-responses';
import { type AppRequest } from '#infra/http/request/app-request';
import { CaptchaService } from './captcha.service';

/** After the global guards (may they ask, so often?), before anything is done. */
@Injectable()
export class CaptchaGuard implements CanActivate {
  constructor(private readonly captcha: CaptchaService) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<AppRequest>();
    // A body that cannot be read is told as such, by the interceptor that comes next.
    if (request.bodyError) return true;
    await this.captcha.demand(request.context, (request.body as { captcha?: unknown } | undefined)?.captcha);
    return true;
  }
}

/** A route that wants the field `captcha` of its body, where a captcha is configured (contract §4). */
export const CaptchaProtected = (): MethodDecorator & ClassDecorator =>
  applyDecorators(UseGuards(CaptchaGuard), Errors('invalid_input'));
