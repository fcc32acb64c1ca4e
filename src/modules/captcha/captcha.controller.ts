import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig } from '#platform/config/config';
import { type AgateRequest } from '#platform/http/agate-request';
import { AnswersPage } from '#platform/http/answers';
import { Errors } from '#platform/http/errors';
import { type HtmlPage } from '#platform/pages/html-page';
import { Words } from '#platform/pages/locale';
import { type Messages } from '#platform/pages/messages';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { captchaPage } from './captcha-page';
import { CaptchaService } from './captcha.service';
import { ChallengeResponse } from './dto/challenge.response';

@ApiTags('Developer account')
@Controller('captcha')
export class CaptchaController {
  constructor(
    private readonly captcha: CaptchaService,
    private readonly config: HttpConfig,
  ) {}

  @Get()
  @Access({ public: true })
  @Limit('page')
  @Errors('not_found')
  @AnswersPage(
    'Get a captcha: a page that solves it and posts it to the dashboard, or as JSON, for a widget',
    ChallengeResponse,
  )
  async open(@Req() request: AgateRequest, @Words() words: Messages): Promise<HtmlPage | ChallengeResponse> {
    const challenge = await this.captcha.challenge(request.context);
    if (request.accepts(['html', 'json']) !== 'json')
      return captchaPage(words, challenge, this.config.dashboardOrigins);
    if (!challenge) throw new AppError('not_found', { message: 'This service asks for no captcha.' });
    return { parameters: { ...challenge.parameters }, signature: challenge.signature ?? '' };
  }
}
