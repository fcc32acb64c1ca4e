import { Body, Controller, Get, Headers, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { LANGUAGES } from '#kernel/text/language';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { ApiResult } from '#infra/http/response/api-responses';
import { pickLocale } from '#infra/pages/messages/messages';
import { Limit } from '#infra/rate-limit/limits';
import { CaptchaProtected } from '#modules/captcha';
import { DEVELOPERS_DOCS } from './developers.docs';
import {
  AcceptedResponse,
  AcceptLanguageOfAccount,
  DeveloperResponse,
  SignUpRequest,
  toDeveloperResponse,
  UpdateDeveloperRequest,
} from './developers.dto';
import { type Developer, DevelopersService } from './developers.service';
import { SecondFactorsService } from './mfa/second-factors.service';

@ApiTags('Developer account')
@Describe(DEVELOPERS_DOCS)
@Controller('developers')
export class DevelopersController {
  constructor(
    private readonly developers: DevelopersService,
    private readonly factors: SecondFactorsService,
  ) {}

  @Post()
  @Access({ public: true })
  @Limit('signup')
  @CaptchaProtected()
  @AcceptLanguageOfAccount()
  @ApiResult(
    'Sign up; the response is the same whether or not the address has an account, and a mail describes the next step',
    AcceptedResponse,
    202,
  )
  async signUp(
    @Ctx() ctx: RequestContext,
    @Body() body: SignUpRequest,
    @Headers('accept-language') languages?: string,
  ): Promise<AcceptedResponse> {
    await this.developers.signUp(ctx, { ...body, language: pickLocale(languages, LANGUAGES) });
    return { message: 'Look in your inbox: we have sent you a mail.' };
  }

  @Get('me')
  @Access(ACCESS.developer('organization:read'))
  @Limit('read')
  @ApiResult('Get your account', DeveloperResponse)
  async me(@Ctx() ctx: RequestContext): Promise<DeveloperResponse> {
    return this.respond(ctx, await this.developers.get(ctx, developerOf(ctx).developerId));
  }

  @Patch('me')
  @Access(ACCESS.login())
  @Limit('write')
  @ApiResult('Change your profile', DeveloperResponse)
  async update(@Ctx() ctx: RequestContext, @Body() body: UpdateDeveloperRequest): Promise<DeveloperResponse> {
    return this.respond(ctx, await this.developers.update(ctx, developerOf(ctx).developerId, body));
  }

  private async respond(ctx: RequestContext, developer: Developer): Promise<DeveloperResponse> {
    return toDeveloperResponse(developer, await this.factors.isEnabled(ctx, developer.id));
  }
}
