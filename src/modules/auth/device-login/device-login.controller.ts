import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { OrganizationQuery } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { NewPersonalAccessTokenResponse, toNewPersonalAccessTokenResponse } from '#modules/tokens';
import { DEVICE_LOGIN_DOCS } from '../auth.docs';
import { SameSiteOnly } from '../credentials/cross-site.guard';
import {
  DeviceCodeRequest,
  DeviceLoginResponse,
  StartDeviceLoginRequest,
  StartedDeviceLoginResponse,
  toDeviceLoginResponse,
  toStartedDeviceLoginResponse,
  UserCodeQuery,
  UserCodeRequest,
} from './device-login.dto';
import { DeviceLoginsService } from './device-logins.service';
import { DeviceTokensService } from './device-tokens.service';

@ApiTags('Login and session')
@Describe(DEVICE_LOGIN_DOCS)
@Controller('login/device')
@SameSiteOnly()
export class DeviceLoginController {
  constructor(
    private readonly logins: DeviceLoginsService,
    private readonly tokens: DeviceTokensService,
    private readonly config: HttpConfig,
  ) {}

  @Post()
  @Access({ public: true })
  @Limit('login')
  @Errors('operation_not_allowed', 'permission_denied')
  @ApiResult('Start a login of a program, which a developer confirms in a browser', StartedDeviceLoginResponse)
  async start(@Ctx() ctx: RequestContext, @Body() body: StartDeviceLoginRequest): Promise<StartedDeviceLoginResponse> {
    return toStartedDeviceLoginResponse(await this.logins.start(ctx, body), `${this.config.baseUrl}/device`);
  }

  @Post('token')
  @Access({ public: true })
  @Limit('refresh')
  @Errors('operation_not_allowed', 'permission_denied', 'quota_exceeded')
  @ApiResult(
    'Exchange the device code of a confirmed login for a personal access token; it works once',
    NewPersonalAccessTokenResponse,
  )
  async takeToken(
    @Ctx() ctx: RequestContext,
    @Body() { device_code: deviceCode }: DeviceCodeRequest,
  ): Promise<NewPersonalAccessTokenResponse> {
    return toNewPersonalAccessTokenResponse(await this.tokens.take(ctx, deviceCode));
  }

  @Get()
  @Access(ACCESS.login())
  @Limit('read')
  @Errors('not_found')
  @ApiResult('Get the request of the program with a user code', DeviceLoginResponse)
  async find(
    @Ctx() ctx: RequestContext,
    @Query() { user_code: userCode }: UserCodeQuery,
  ): Promise<DeviceLoginResponse> {
    return toDeviceLoginResponse(await this.logins.find(ctx, userCode));
  }

  @Post('confirm')
  @Access(ACCESS.login({ organization: 'member' }))
  @Limit('write')
  @Errors('not_found', 'operation_not_allowed', 'quota_exceeded')
  @ApiNoContent('Let the program with a user code get a personal access token of yours, in one organization')
  confirm(
    @Ctx() ctx: RequestContext,
    @Query() { organization_id: organizationId }: OrganizationQuery,
    @Body() { user_code: userCode }: UserCodeRequest,
  ): Promise<void> {
    return this.logins.confirm(ctx, organizationId, userCode);
  }

  @Post('deny')
  @Access(ACCESS.login({ verified: false }))
  @Limit('write')
  @Errors('not_found', 'operation_not_allowed')
  @ApiNoContent('Reject the program with a user code')
  deny(@Ctx() ctx: RequestContext, @Body() { user_code: userCode }: UserCodeRequest): Promise<void> {
    return this.logins.deny(ctx, userCode);
  }
}
