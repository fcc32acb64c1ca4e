import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { INVITATION_PREVIEW_DOCS } from '../organizations.docs';
import {
  InvitationPreviewRequest,
  InvitationPreviewResponse,
  toInvitationPreviewResponse,
} from './invitation-preview.dto';
import { InvitationPreviewsService } from './invitation-previews.service';

/** `POST`, so that the token is in the body: addresses are logged by proxies. */
@ApiTags('Organizations')
@Describe(INVITATION_PREVIEW_DOCS)
@Controller('organizations/invitations/preview')
export class InvitationPreviewController {
  constructor(private readonly previews: InvitationPreviewsService) {}

  @Post()
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @ApiResult('Show the invitation of a mailed link, without accepting it', InvitationPreviewResponse)
  async find(
    @Ctx() ctx: RequestContext,
    @Body() { token }: InvitationPreviewRequest,
  ): Promise<InvitationPreviewResponse> {
    return toInvitationPreviewResponse(await this.previews.find(ctx, token));
  }
}
