import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { Answers, AnswersPage } from '#platform/http/answers';
import { Ctx } from '#platform/http/context';
import { Errors } from '#platform/http/errors';
import { FormAware, FromForm } from '#platform/http/form-post';
import { LinkQuery } from '#platform/http/link-query';
import { HtmlPage } from '#platform/pages/html-page';
import { Words } from '#platform/pages/locale';
import { type Messages } from '#platform/pages/messages';
import { Idempotent } from '#platform/idempotency/idempotent';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { AcceptInvitationRequest } from './dto/member.requests';
import { OrganizationResponse } from './dto/organization.response';
import { invitationPages } from './invitation-pages';
import { InvitationsService } from './invitations.service';
import { toOrganizationResponse } from './organizations.mapper';

/** What an invitation's link opens. Looking joins nothing; only the POST of somebody who is logged in does. */
@ApiTags('Organizations')
@Controller('organizations/invitations/accept')
export class InvitationAcceptanceController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @Access({ public: true })
  @Limit('page')
  @AnswersPage('Open the page of an invitation; accepts nothing')
  open(@Query() query: LinkQuery, @Words() words: Messages): HtmlPage {
    return invitationPages.accept(words, query.token);
  }

  @Post()
  @Access({ by: ['jwt'] })
  @Limit('write')
  @Idempotent()
  @Errors('already_exists', 'invalid_input', 'quota_exceeded')
  @FormAware(OrganizationResponse)
  @Answers('Accept an invitation', OrganizationResponse)
  async accept(
    @Ctx() ctx: RequestContext,
    @Body() body: AcceptInvitationRequest,
    @FromForm() fromForm: boolean,
    @Words() words: Messages,
  ): Promise<OrganizationResponse | HtmlPage> {
    const organization = await this.invitations.accept(ctx, body.token);
    return fromForm ? invitationPages.joined(words, organization.name) : toOrganizationResponse(organization);
  }
}
