import { Body, Controller, Get, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { LinkQuery } from '#infra/http/dto/link-query';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm } from '#infra/http/request/html-form';
import { IdParam } from '#infra/http/request/id-param';
import { ApiHtmlPage, ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { FormTexts, Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { Limit } from '#infra/rate-limit/limits';
import { EMAIL_CHANGE_DOCS } from '../developers.docs';
import { VerifyEmailRequest } from '../developers.dto';
import { accountPages } from './account-pages';
import { expiredLink } from './developer-links.service';
import { EmailChangeService } from './email-change.service';

/** The link that was mailed to a new address. GET changes nothing, because mail scanners open links first. */
@ApiTags('Developer account')
@Describe(EMAIL_CHANGE_DOCS)
@Controller('developers/:developer_id/change_email')
@UseInterceptors(PageInterceptor)
export class EmailChangeController {
  constructor(private readonly emailChange: EmailChangeService) {}

  @Get()
  @Access({ public: true })
  @Limit('page')
  @ApiHtmlPage('Open the page that confirms a new e-mail address; changes nothing')
  open(@IdParam('developer_id') id: string, @Query() query: LinkQuery, @Translations() messages: Messages): HtmlPage {
    return accountPages.confirmNewEmail(messages, id, query.token);
  }

  @Post()
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @AcceptsForm()
  @ApiNoContent('Confirm a new e-mail address with the mailed token; all sessions end')
  async confirm(
    @Ctx() ctx: RequestContext,
    @IdParam('developer_id') id: string,
    @Body() body: VerifyEmailRequest,
    @FormTexts() texts: Messages | undefined,
  ): Promise<HtmlPage | undefined> {
    const changed = await this.emailChange.confirm(ctx, id, body.token);
    if (texts) return accountPages.emailChanged(texts, changed);
    if (!changed) throw expiredLink();
    return undefined;
  }
}
