import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { ApiFile, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { LOGOS_DOCS } from './branding.docs';
import { BrandingService } from './branding.service';

const HEADERS = {
  'Content-Type': 'image/png',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
  // Keeps a browser from running anything in an image.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  // Allows a dashboard on another host to show the logo.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Serves the logos of organizations to everyone who knows their address. */
@ApiTags('Install')
@Describe(LOGOS_DOCS)
@Controller('assets/logos')
export class LogosController {
  constructor(private readonly branding: BrandingService) {}

  @Get(':logo_key')
  @Access({ public: true })
  @Limit('asset')
  @Errors('not_found')
  @ApiParam({ name: 'logo_key', type: 'string', description: 'From `logo_url` of the branding of an organization.' })
  @ApiFile('Get the logo of an organization; its content never changes', 'image/png')
  async get(@Ctx() ctx: RequestContext, @Param('logo_key') key: string, @Res() response: Response): Promise<void> {
    response.set(HEADERS).send(await this.branding.logoOf(ctx, key));
  }
}
