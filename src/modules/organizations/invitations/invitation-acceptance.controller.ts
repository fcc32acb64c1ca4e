import { Body, Controller, Get, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { LinkQuery } from '#infra/http/dto/link-query';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm } from '#infra/http/request/html-form';
import { ApiHtmlPage, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { MESSAGE_PAGE, type MessagePageView } from '#infra/pages/message-page';
import { FormTexts, Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { PageRenderer } from '#infra/pages/rendering/page-renderer';
import { Limit } from '#infra/rate-limit/limits';
import { AcceptInvitationRequest } from '../members/members.dto';
import { INVITATION_ACCEPTANCE_DOCS } from '../organizations.docs';
import { OrganizationResponse } from '../organizations.dto';
import { toOrganizationResponse } from '../organizations.mapper';
import { InvitationsService } from './invitations.service';

const ACCEPT = '/api/v1/organizations/invitations/accept';

const page = (view: MessagePageView, status?: number): HtmlPage => new HtmlPage(MESSAGE_PAGE, view, status);

export const invitationPages = {
  accept(messages: Messages, token: string, status?: number): HtmlPage {
    const { title, text, submit } = messages.account.invitation;
    const form = { action: ACCEPT, hidden: { token }, fields: [], submit };
    return page({ messages, tone: 'neutral', title, paragraphs: [text], form }, status);
  },
  joined(messages: Messages, organization: { readonly id: string; readonly name: string }): HtmlPage {
    const { title, text } = messages.account.joined;
    const dashboardLinks = [{ href: `/o/${organization.id}`, label: messages.account.openDashboard }];
    return page({ messages, tone: 'success', title, paragraphs: [text(organization.name)], dashboardLinks });
  },
};

/**
 * The page behind the mailed link. Opening it accepts nothing, because mail scanners open links too; only the POST of a logged-in developer
 * does. The dashboard has a page of its own, on which people sign up, log in and accept.
 */
@ApiTags('Organizations')
@Describe(INVITATION_ACCEPTANCE_DOCS)
@Controller('organizations/invitations/accept')
export class InvitationAcceptanceController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly renderer: PageRenderer,
  ) {}

  @Get()
  @Access({ public: true })
  @Limit('page')
  @UseInterceptors(PageInterceptor)
  @ApiHtmlPage('Show the page of an invitation, without accepting it; redirects to the dashboard, if it is served')
  open(
    @Query() query: LinkQuery,
    @Translations() words: Messages,
    @Res({ passthrough: true }) response: Response,
  ): HtmlPage {
    if (!this.renderer.hasDashboard) return invitationPages.accept(words, query.token);
    response.location(`/join?token=${encodeURIComponent(query.token)}`);
    return invitationPages.accept(words, query.token, 302);
  }

  @Post()
  @Access(ACCESS.login())
  @Limit('write')
  // Above @Idempotent, which stores the response: the last interceptor is the innermost, so it stores the rendered page.
  @UseInterceptors(PageInterceptor)
  @Idempotent()
  @Errors('already_exists', 'invalid_input', 'quota_exceeded')
  @AcceptsForm(OrganizationResponse)
  @ApiResult('Accept an invitation', OrganizationResponse)
  async accept(
    @Ctx() ctx: RequestContext,
    @Body() body: AcceptInvitationRequest,
    @FormTexts() texts: Messages | undefined,
  ): Promise<OrganizationResponse | HtmlPage> {
    const organization = await this.invitations.accept(ctx, body.token);
    return texts ? invitationPages.joined(texts, organization) : toOrganizationResponse(organization);
  }
}
