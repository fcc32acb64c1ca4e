import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiResult } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { CURRENT_CREDENTIAL_DOCS } from '../auth.docs';
import { credentialExpiry, credentialOf } from '../credentials/credential';
import { CredentialResponse, toCredentialResponse } from './current-credential.dto';
import { CurrentCredentialService } from './current-credential.service';

@ApiTags('Login and session')
@Describe(CURRENT_CREDENTIAL_DOCS)
@Controller('credential')
export class CurrentCredentialController {
  constructor(private readonly credentials: CurrentCredentialService) {}

  @Get()
  @Access(ACCESS.self())
  @Limit('read')
  @ApiResult('Get the credential of this request and its permissions', CredentialResponse)
  async find(@Ctx() ctx: RequestContext, @Req() request: AppRequest): Promise<CredentialResponse> {
    const value = credentialOf(request)?.value ?? '';
    return toCredentialResponse(await this.credentials.find(ctx, value, credentialExpiry(request)));
  }
}
