import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  type NestInterceptor,
  Post,
  UseInterceptors,
} from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';
import { type Observable } from 'rxjs';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig } from '#infra/config/config';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { IdField, TextField } from '#infra/http/dto/fields';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm } from '#infra/http/request/html-form';
import { ApiHtmlPage, ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { PageTexts, Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { Limit } from '#infra/rate-limit/limits';
import { type SubscriptionAction, SubscriptionActionsService } from '#modules/testers';
import { INVITE_ACTIONS_DOCS } from '../install.docs';
import { Link, type LinkPath } from '../page/link-addresses';
import { subscriptionActionPages } from './subscription-action-pages';

@ApiSchema({ description: 'The change that a tester makes through their link. Most links need no body.' })
export class InviteActionRequest {
  @IdField({ optional: true, description: 'The channel, for a link that names no channel.', of: 'channel' })
  channel_id?: string;

  @TextField({ max: 100, optional: true, description: 'Sent by mail programs (RFC 8058).', example: 'One-Click' })
  'List-Unsubscribe'?: string;
}

/**
 * Mail programs may send their one click as `multipart/form-data` (RFC 8058, section 3.2). Its fields carry no information, so it is
 * ignored.
 */
@Injectable()
class OneClickInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = execution.switchToHttp().getRequest<AppRequest>();
    if (request.is('multipart/form-data')) request.body = {};
    return next.handle();
  }
}

/**
 * The changes that testers make through their own links. Each link makes one change. The routes read no cookie, so a page of another
 * site gains nothing: it would have to know the link. A browser gets a page, also for a used link; a program gets 204, then 409.
 */
@ApiTags('Install')
@Describe(INVITE_ACTIONS_DOCS)
@Controller('install/:invite_token')
@UseInterceptors(PageInterceptor, OneClickInterceptor)
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
    @Translations() messages: Messages,
  ): Promise<HtmlPage> {
    const subject = await this.actions.describe(ctx, token);
    return subscriptionActionPages.confirmUnsubscribe(
      messages,
      subject,
      `${this.config.installBaseUrl}/install/${token}`,
    );
  }

  @Post('subscribe')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found', 'already_exists')
  @AcceptsForm()
  @ApiNoContent("Subscribe to the link's channel or, for a link without a channel, test the project again")
  subscribe(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Body() body: InviteActionRequest,
    @PageTexts() texts: Messages | undefined,
  ): Promise<HtmlPage | undefined> {
    return this.act(ctx, token, 'subscribe', body, texts);
  }

  /** Also handles the one-click unsubscribe of mail programs (RFC 8058), which they may repeat. */
  @Post('unsubscribe')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found', 'already_exists')
  @AcceptsForm()
  @ApiNoContent("Unsubscribe from the link's channel or, for a link without a channel, stop testing the project")
  unsubscribe(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Body() body: InviteActionRequest,
    @PageTexts() texts: Messages | undefined,
  ): Promise<HtmlPage | undefined> {
    return this.act(ctx, token, 'unsubscribe', body, texts);
  }

  @Post('decline')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found', 'already_exists')
  @AcceptsForm()
  @ApiNoContent('Stop testing the project')
  decline(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Body() body: InviteActionRequest,
    @PageTexts() texts: Messages | undefined,
  ): Promise<HtmlPage | undefined> {
    return this.act(ctx, token, 'decline', body, texts);
  }

  private async act(
    ctx: RequestContext,
    token: string,
    action: SubscriptionAction,
    { channel_id: channelId = null }: { channel_id?: string | null },
    texts: Messages | undefined,
  ): Promise<HtmlPage | undefined> {
    const outcome = await this.actions.apply(ctx, token, action, channelId);
    if (texts) return subscriptionActionPages.outcome(texts, action, outcome);
    if (outcome.done) return undefined;
    throw new AppError('already_exists', {
      message: 'This link was used before, so nothing was changed. Use the link of a newer mail.',
    });
  }
}
