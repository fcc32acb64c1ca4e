import { Body, Controller, Get, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type InviteAction, SubscriptionActionsService } from '#modules/testers';
import { HttpConfig } from '#infra/config/config';
import { ApiHtmlPage, ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm, PrefersHtml } from '#infra/http/request/html-form';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { Limit } from '#infra/rate-limit/limits';
import { Access } from '#infra/http/access';
import { InviteActionRequest } from './dto/subscription-action.request';
import { inviteActionPages } from './subscription-action-pages';
import { Link, type LinkPath } from '../link-path';
import { OneClickInterceptor } from './one-click.interceptor';

/**
 * What testers change by a link of theirs, once for each link. No cookie is looked at, so another site's page can do nothing that
 * whoever knows the link could not. A person is answered with a page, also the second time; a program with 204, then 409.
 */
@ApiTags('Install')
@Controller('install/:invite_token')
@UseInterceptors(OneClickInterceptor)
export class InviteActionsController {
  constructor(
    private readonly actions: SubscriptionActionsService,
    private readonly config: HttpConfig,
  ) {}

  @Get('unsubscribe')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @ApiHtmlPage('Show the page that unsubscribes; changes nothing')
  async confirm(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Translations() words: Messages,
  ): Promise<HtmlPage> {
    const subject = await this.actions.look(ctx, token);
    return inviteActionPages.confirmUnsubscribe(words, subject, `${this.config.installBaseUrl}/install/${token}`);
  }

  @Post('subscribe')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found', 'already_exists')
  @AcceptsForm()
  @ApiNoContent("Subscribe to the link's channel, or come back to the project")
  subscribe(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Body() body: InviteActionRequest,
    @PrefersHtml() wantsPage: boolean,
    @Translations() words: Messages,
  ): Promise<HtmlPage | undefined> {
    return this.act(ctx, token, 'subscribe', body, wantsPage ? words : null);
  }

  /** Also the one click of mail programs (RFC 8058): without a cookie, as often as they like. */
  @Post('unsubscribe')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found', 'already_exists')
  @AcceptsForm()
  @ApiNoContent("Unsubscribe from the link's channel or, where it is of none, leave the project's testing")
  unsubscribe(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Body() body: InviteActionRequest,
    @PrefersHtml() wantsPage: boolean,
    @Translations() words: Messages,
  ): Promise<HtmlPage | undefined> {
    return this.act(ctx, token, 'unsubscribe', body, wantsPage ? words : null);
  }

  @Post('decline')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found', 'already_exists')
  @AcceptsForm()
  @ApiNoContent("Leave the project's testing altogether")
  decline(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Body() body: InviteActionRequest,
    @PrefersHtml() wantsPage: boolean,
    @Translations() words: Messages,
  ): Promise<HtmlPage | undefined> {
    return this.act(ctx, token, 'decline', body, wantsPage ? words : null);
  }

  private async act(
    ctx: RequestContext,
    token: string,
    action: InviteAction,
    { channel_id: channelId = null }: { channel_id?: string | null },
    page: Messages | null,
  ): Promise<HtmlPage | undefined> {
    const outcome = await this.actions.act(ctx, token, action, channelId);
    if (page) return inviteActionPages.outcome(page, action, outcome);
    if (outcome.done) return undefined;
    throw new AppError('already_exists', { message: 'This link has done its work before; nothing was changed.' });
  }
}
