import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { ApiHtmlPage, ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm, IsFormPost } from '#infra/http/request/html-form';
import { IdParam } from '#infra/http/request/id-param';
import { LinkQuery } from '#infra/http/dto/link-query';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { Limit } from '#infra/rate-limit/limits';
import { Access } from '#infra/http/access';
import { developerPages } from './developer-pages';
import { VerifyEmailRequest } from '../dto/developer.requests';
import { EmailChangeService } from './email-change.service';

/** The link that was mailed to a new address. Looking changes nothing: mail scanners look first. */
@ApiTags('Developer account')
@Controller('developers/:developer_id/change_email')
export class EmailChangeController {
  constructor(private readonly emailChange: EmailChangeService) {}

  @Get()
  @Access({ public: true })
  @Limit('page')
  @ApiHtmlPage('Open the page that confirms a new e-mail address; changes nothing')
  open(@IdParam('developer_id') id: string, @Query() query: LinkQuery, @Translations() words: Messages): HtmlPage {
    return developerPages.confirmNewEmail(words, id, query.token);
  }

  @Post()
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @AcceptsForm()
  @ApiNoContent('Confirm a new e-mail address with the mailed token; every session ends')
  async confirm(
    @Ctx() ctx: RequestContext,
    @IdParam('developer_id') id: string,
    @Body() body: VerifyEmailRequest,
    @IsFormPost() fromForm: boolean,
    @Translations() words: Messages,
  ): Promise<HtmlPage | undefined> {
    const changed = await this.emailChange.confirm(ctx, id, body.token);
    if (fromForm) return developerPages.emailChanged(words, changed);
    if (!changed)
      throw AppError.invalidInput('link_expired', 'This link has been used or has expired. Ask for a new one.');
    return undefined;
  }
}
