import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ApiHtmlPage, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm, IsFormPost } from '#infra/http/request/html-form';
import { LinkQuery } from '#infra/http/dto/link-query';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { AcceptInvitationRequest } from '../dto/member.requests';
import { OrganizationResponse } from '../dto/organization.response';
import { invitationPages } from './invitation-pages';
import { InvitationsService } from './invitations.service';
import { toOrganizationResponse } from '../organizations.mapper';
import { INVITATION_ACCEPTANCE_DOCS } from './invitation-acceptance.docs';

/** The page behind the mailed link. Opening it accepts nothing, because mail scanners open links too; only the POST of a logged-in developer does. */
@ApiTags('Organizations')
@Describe(INVITATION_ACCEPTANCE_DOCS)
@Controller('organizations/invitations/accept')
export class InvitationAcceptanceController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @Access({ public: true })
  @Limit('page')
  @ApiHtmlPage('Show the page of an invitation, without accepting it')
  open(@Query() query: LinkQuery, @Translations() words: Messages): HtmlPage {
    return invitationPages.accept(words, query.token);
  }

  @Post()
  @Access(ACCESS.login())
  @Limit('write')
  @Idempotent()
  @Errors('already_exists', 'invalid_input', 'quota_exceeded')
  @AcceptsForm(OrganizationResponse)
  @ApiResult('Accept an invitation', OrganizationResponse)
  async accept(
    @Ctx() ctx: RequestContext,
    @Body() body: AcceptInvitationRequest,
    @IsFormPost() fromForm: boolean,
    @Translations() words: Messages,
  ): Promise<OrganizationResponse | HtmlPage> {
    const organization = await this.invitations.accept(ctx, body.token);
    return fromForm ? invitationPages.joined(words, organization) : toOrganizationResponse(organization);
  }
}
