import { Body, Controller, Get, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
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
import { Limit } from '#infra/rate-limit/limits';
import { AcceptInvitationRequest } from '../members/members.dto';
import { INVITATION_ACCEPTANCE_DOCS } from '../organizations.docs';
import { OrganizationResponse } from '../organizations.dto';
import { toOrganizationResponse } from '../organizations.mapper';
import { InvitationsService } from './invitations.service';

const ACCEPT = '/api/v1/organizations/invitations/accept';

const page = (view: MessagePageView): HtmlPage => new HtmlPage(MESSAGE_PAGE, view);

export const invitationPages = {
  /** Does not name the organization, because the link alone does not prove that the reader is the invited person. */
  accept(messages: Messages, token: string): HtmlPage {
    const { title, text, submit } = messages.account.invitation;
    const form = { action: ACCEPT, hidden: { token }, fields: [], submit };
    const back = encodeURIComponent(`${ACCEPT}?token=${encodeURIComponent(token)}`);
    const dashboardLinks = [
      { href: `/login?next=${back}`, label: messages.account.logIn },
      { href: `/signup?next=${back}`, label: messages.account.signUp },
    ];
    return page({ messages, tone: 'neutral', title, paragraphs: [text], form, dashboardLinks });
  },
  joined(messages: Messages, organization: { readonly id: string; readonly name: string }): HtmlPage {
    const { title, text } = messages.account.joined;
    const dashboardLinks = [{ href: `/o/${organization.id}`, label: messages.account.openDashboard }];
    return page({ messages, tone: 'success', title, paragraphs: [text(organization.name)], dashboardLinks });
  },
};

/**
 * The page behind the mailed link. Opening it accepts nothing, because mail scanners open links too; only the POST of a logged-in developer
 * does.
 */
@ApiTags('Organizations')
@Describe(INVITATION_ACCEPTANCE_DOCS)
@Controller('organizations/invitations/accept')
export class InvitationAcceptanceController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @Access({ public: true })
  @Limit('page')
  @UseInterceptors(PageInterceptor)
  @ApiHtmlPage('Show the page of an invitation, without accepting it')
  open(@Query() query: LinkQuery, @Translations() words: Messages): HtmlPage {
    return invitationPages.accept(words, query.token);
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
