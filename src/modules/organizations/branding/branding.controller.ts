import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { BodyLimit } from '#infra/http/request/body-parsers';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { BRANDING_DOCS } from './branding.docs';
import { BrandingResponse, SetBrandingRequest } from './branding.dto';
import { BrandingService, type EditedBranding } from './branding.service';

/** The largest logo in base64, and the other fields. */
const MAX_BODY_BYTES = 96 * 1024;

@ApiTags('Organizations')
@Describe(BRANDING_DOCS)
@Controller('organizations/:organization_id/branding')
export class BrandingController {
  constructor(private readonly branding: BrandingService) {}

  @Get()
  @Access(ACCESS.developer('organization:read', { organization: 'member' }))
  @Limit('read')
  @ApiResult('Get the branding of an organization', BrandingResponse)
  async get(@Ctx() ctx: RequestContext, @IdParam('organization_id') id: string): Promise<BrandingResponse> {
    return this.toResponse(await this.branding.get(ctx, id));
  }

  @Put()
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('write')
  @Idempotent()
  @BodyLimit({ maxBytes: MAX_BODY_BYTES })
  @Errors('invalid_input')
  @ApiResult('Replace the branding of an organization', BrandingResponse)
  async replace(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Body() body: SetBrandingRequest,
  ): Promise<BrandingResponse> {
    const { display_name: displayName = null, privacy_url: privacyUrl = null } = body;
    const { logo = null, contact = null, accent = null } = body;
    return this.toResponse(await this.branding.replace(ctx, id, { displayName, logo, contact, privacyUrl, accent }));
  }

  private toResponse({ displayName, logo, logoPng, contact, privacyUrl, accent }: EditedBranding): BrandingResponse {
    return {
      display_name: displayName,
      logo: logoPng?.toString('base64') ?? null,
      logo_url: logo && this.branding.logoUrlOf(logo),
      contact,
      privacy_url: privacyUrl,
      accent,
    };
  }
}
