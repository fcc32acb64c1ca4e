import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { TextField } from '#infra/http/dto/fields';
import { type AppRequest } from '#infra/http/request/app-request';
import { Errors } from '#infra/http/response/api-responses';
import { CaptchaService } from './captcha.service';

/** Runs after the global guards, which check access and rate limits, and reject unreadable bodies. */
@Injectable()
class CaptchaGuard implements CanActivate {
  constructor(private readonly captcha: CaptchaService) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<AppRequest>();
    const { captcha } = (request.body ?? {}) as { captcha?: unknown };
    await this.captcha.requireSolution(request.context, captcha, 'sign_up');
    return true;
  }
}

/** Requires a solution in the field `captcha` of the body when a captcha is configured. The DTO declares it with `@CaptchaField()`. */
export const CaptchaProtected = (): MethodDecorator & ClassDecorator =>
  applyDecorators(UseGuards(CaptchaGuard), Errors('invalid_input'));

/** The field of a solution, for the DTO of a route with `@CaptchaProtected()`. */
export const CaptchaField = (): PropertyDecorator =>
  TextField({
    max: 4000,
    min: 0,
    optional: true,
    description:
      'The solution of a challenge of GET /api/v1/captcha. Required when the service has a captcha configured.',
    example: 'eyJjaGFsbGVuZ2UiOnsicGFyYW1ldGVycyI6e319fQ==',
  });
