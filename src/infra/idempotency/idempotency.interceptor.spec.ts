import 'reflect-metadata';
import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { firstValueFrom, throwError } from 'rxjs';
import { type RequestContext } from '#kernel/context/request-context';
import { type UploadConfig } from '#infra/config/config';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { type IdempotencyService } from './idempotency.service';
import { Idempotent } from './idempotent';

class Controller {
  @Idempotent()
  act(this: void): void {
    throw new Error('not called');
  }
}

describe('IdempotencyInterceptor', () => {
  // red when: the key stays claimed after the client has disconnected, or its statements wait for the heavy ones of the request
  it('claims and releases the key of a heavy request with statements that are not heavy, also after its client has left', async () => {
    const contexts: RequestContext[] = [];
    const attempt = {
      commit: (_ctx: RequestContext, work: () => Promise<unknown>) => work(),
      release: (ctx: RequestContext) => Promise.resolve(contexts.push(ctx)),
      stop: () => undefined,
    };
    const service = {
      admit: (ctx: RequestContext) => (contexts.push(ctx), Promise.resolve({ attempt })),
    } as unknown as IdempotencyService;
    const request = {
      method: 'POST',
      path: '/api/v1/testers/bulk',
      route: { path: '/api/v1/testers/bulk' },
      query: {},
      body: {},
      get: () => '8e03978e-40d5-43e8-bc93-6894a57f9324',
      context: {
        requestId: 'r',
        identity: { kind: 'jwt', developerId: 'ann' },
        isHeavy: true,
        signal: AbortSignal.abort(),
      },
    };
    const http = { getRequest: () => request, getResponse: () => ({ statusCode: 201 }) };
    const execution = {
      switchToHttp: () => http,
      getHandler: () => Controller.prototype.act,
      getClass: () => Controller,
    } as unknown as ExecutionContext;
    const interceptor = new IdempotencyInterceptor(new Reflector(), service, {} as UploadConfig);
    const failure = new Error('the handler fails');
    const response = firstValueFrom(interceptor.intercept(execution, { handle: () => throwError(() => failure) }));
    await expect(response).rejects.toBe(failure);
    expect(contexts).toHaveLength(2);
    for (const context of contexts) expect(context).toEqual({ requestId: 'r', identity: request.context.identity });
  });
});
