import { Controller, Get, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { type Challenge } from 'altcha-lib';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig } from '#infra/config/config';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { EnumField, TextField } from '#infra/http/dto/fields';
import { type AppRequest } from '#infra/http/request/app-request';
import { ApiHtmlPage, Errors } from '#infra/http/response/api-responses';
import { Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { pageTemplate, type PageView } from '#infra/pages/rendering/page-renderer';
import { Limit } from '#infra/rate-limit/limits';
import { CAPTCHA_DOCS } from './captcha.docs';
import { CAPTCHA_PURPOSES, type CaptchaPurpose, CaptchaService } from './captcha.service';

interface CaptchaPageView extends PageView {
  /** The origins that the page posts the solution to, separated by spaces. */
  readonly parents: string;
}

const CAPTCHA_PAGE = pageTemplate<CaptchaPageView>(__dirname, 'captcha-page');

/** A page for a frame in the dashboard. It solves the challenge and posts the solution to the dashboard's origins. */
export function captchaPage(
  messages: Messages,
  challenge: Challenge | null,
  origins: readonly string[],
): HtmlPage<CaptchaPageView> {
  const { title } = messages.captcha;
  const view = {
    messages,
    title,
    parents: origins.join(' '),
    ...(challenge && { challenge: JSON.stringify(challenge) }),
  };
  return new HtmlPage(CAPTCHA_PAGE, view, 200, origins);
}

@ApiSchema({ description: 'A proof of work to solve before a sign-up, or after failed logins.' })
export class ChallengeResponse {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The work: algorithm, nonce, salt, cost and others. Pass it to the widget unchanged.',
  })
  parameters: Record<string, unknown>;

  @TextField({
    max: 200,
    description: 'The signature of the challenge. Send it back unchanged.',
    example: '5d41402abc4b2a76b971',
  })
  signature: string;
}

export class CaptchaQuery {
  @EnumField(CAPTCHA_PURPOSES, {
    optional: true,
    description:
      '`login` returns a challenge even when sign-ups require none: a login needs one after too many failures. Default: `sign_up`.',
  })
  for?: CaptchaPurpose;
}

@ApiTags('Developer account')
@Describe(CAPTCHA_DOCS)
@Controller('captcha')
@UseInterceptors(PageInterceptor)
export class CaptchaController {
  constructor(
    private readonly captcha: CaptchaService,
    private readonly config: HttpConfig,
  ) {}

  @Get()
  @Access({ public: true })
  @Limit('page')
  @Errors('not_found')
  @ApiHtmlPage(
    'Get a captcha: a page that solves it and posts the solution to the dashboard, or JSON for a widget',
    ChallengeResponse,
  )
  async open(
    @Req() request: AppRequest,
    @Query() query: CaptchaQuery,
    @Translations() messages: Messages,
  ): Promise<HtmlPage | ChallengeResponse> {
    const challenge = await this.captcha.challenge(request.context, query.for ?? 'sign_up');
    if (request.accepts(['html', 'json']) !== 'json')
      return captchaPage(messages, challenge, this.config.dashboardOrigins);
    if (!challenge) throw new AppError('not_found', { message: 'This service does not require a captcha.' });
    return { parameters: { ...challenge.parameters }, signature: challenge.signature ?? '' };
  }
}
