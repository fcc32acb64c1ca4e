import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { EnumSetField } from '#infra/http/dto/fields';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm } from '#infra/http/request/html-form';
import { ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { PageTexts } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { Limit } from '#infra/rate-limit/limits';
import { MailPlatformsService } from '#modules/testers';
import { MAIL_PLATFORMS_DOCS } from '../install.docs';
import { addressesOfLink, Link, type LinkPath } from '../page/link-addresses';
import { mailPlatformsPage } from './subscription-action-pages';

/** A form with one ticked box sends a single value. */
const toList = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? [value] : value);

@ApiSchema({ description: 'The platforms that a tester is mailed about.' })
export class ChooseMailPlatformsRequest {
  @Transform(toList)
  @EnumSetField(PLATFORMS, { optional: true, description: 'The platforms. Absent: all.', example: ['ios'] })
  platforms?: Platform[];

  @Transform(toList)
  @EnumSetField(PLATFORMS, {
    optional: true,
    description:
      'The platforms that the form of the page offers. When `platforms` has all of them, it stands for all platforms, also for those that are added later.',
    example: ['ios', 'android'],
  })
  offered?: Platform[];
}

/** The tester's choice of the platforms that they get mails about. Works without script. */
@ApiTags('Install')
@Describe(MAIL_PLATFORMS_DOCS)
@Controller('install/:invite_token/platforms')
@UseInterceptors(PageInterceptor)
export class MailPlatformsController {
  constructor(
    private readonly mailPlatforms: MailPlatformsService,
    private readonly config: HttpConfig,
  ) {}

  @Post()
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @AcceptsForm()
  @ApiNoContent('Choose the platforms for which the tester gets release mails; can be repeated')
  async choose(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Body() { platforms = [], offered = [] }: ChooseMailPlatformsRequest,
    @PageTexts() texts: Messages | undefined,
  ): Promise<HtmlPage | undefined> {
    const isAll = offered.length > 0 && offered.every((platform) => platforms.includes(platform));
    const change = await this.mailPlatforms.choose(ctx, token, isAll ? [] : platforms);
    if (!texts) return undefined;
    const action = addressesOfLink(this.config.installBaseUrl, token).ofAction('platforms');
    return mailPlatformsPage(texts, action, change);
  }
}
