import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AnswersNothing, AnswersPage } from '#platform/http/answers';
import { Ctx } from '#platform/http/context';
import { Errors } from '#platform/http/errors';
import { FormAware, FromForm } from '#platform/http/form-post';
import { IdParam } from '#platform/http/id-param';
import { LinkQuery } from '#platform/http/link-query';
import { type HtmlPage } from '#platform/pages/html-page';
import { Words } from '#platform/pages/locale';
import { type Messages } from '#platform/pages/messages';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { developerPages } from './developer-pages';
import { VerifyEmailRequest } from './dto/developer.requests';
import { EmailChangeService } from './email-change.service';

/** The link that was mailed to a new address. Looking changes nothing: mail scanners look first. */
@ApiTags('Developer account')
@Controller('developers/:developer_id/change_email')
export class EmailChangeController {
  constructor(private readonly emailChange: EmailChangeService) {}

  @Get()
  @Access({ public: true })
  @Limit('page')
  @AnswersPage('Open the page that confirms a new e-mail address; changes nothing')
  open(@IdParam('developer_id') id: string, @Query() query: LinkQuery, @Words() words: Messages): HtmlPage {
    return developerPages.confirmNewEmail(words, id, query.token);
  }

  @Post()
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @FormAware()
  @AnswersNothing('Confirm a new e-mail address with the mailed token; every session ends')
  async confirm(
    @Ctx() ctx: RequestContext,
    @IdParam('developer_id') id: string,
    @Body() body: VerifyEmailRequest,
    @FromForm() fromForm: boolean,
    @Words() words: Messages,
  ): Promise<HtmlPage | undefined> {
    const changed = await this.emailChange.confirm(ctx, id, body.token);
    if (fromForm) return developerPages.emailChanged(words, changed);
    if (!changed)
      throw AppError.invalidInput('link_expired', 'This link has been used or has expired. Ask for a new one.');
    return undefined;
  }
}
