import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable } from 'rxjs';
import { type AppRequest } from '#infra/http/request/app-request';

/** Mail programs may send their one click as `multipart/form-data` (RFC 8058 §3.2), which nobody reads: it says nothing new. */
@Injectable()
export class OneClickInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = execution.switchToHttp().getRequest<AppRequest>();
    if (request.is('multipart/form-data')) request.body = {};
    return next.handle();
  }
}
