import { Controller, Get, Head, Header, Param, Query, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { type AgateRequest } from '#platform/http/agate-request';
import { AnswersBlobHead, AnswersFile, AnswersPage, Redirects } from '#platform/http/answers';
import { Ctx } from '#platform/http/context';
import { Errors } from '#platform/http/errors';
import { sendBlob } from '#platform/http/send-blob';
import { type HtmlPage } from '#platform/pages/html-page';
import { Words } from '#platform/pages/locale';
import { type Messages } from '#platform/pages/messages';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { chosenDevice, detectDevice } from '#kernel/devices/device';
import { InstallService } from './install.service';
import { Link, type LinkPath } from './link-path';
import { MANIFEST_CONTENT_TYPE } from './manifest';
import { QR_CONTENT_TYPE, qrCodeSvg } from './qr-code';

/** Whatever an image holds, it never runs. */
const INERT = "default-src 'none'; sandbox";

/**
 * What testers see. The token in the path is the entire credential (specification §5): the installer of a phone is another
 * process than its browser and sends nothing else. HEAD answers, and costs, nothing.
 */
abstract class InstallRoutes {
  constructor(protected readonly install: InstallService) {}

  @Get()
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @ApiQuery({ name: 'device', required: false, schema: { type: 'string' }, description: 'Another device than yours.' })
  @AnswersPage('Show the install page, suited to the device')
  page(
    @Ctx() ctx: RequestContext,
    @Link() link: LinkPath,
    @Req() request: AgateRequest,
    @Query('device') choice: unknown,
    @Words() words: Messages,
  ): Promise<HtmlPage> {
    const hints = { platform: request.get('sec-ch-ua-platform') };
    return this.install.page(ctx, link, chosenDevice(detectDevice(request.get('user-agent'), hints), choice), words);
  }

  @Head('manifest.plist')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found', 'operation_not_allowed')
  @Header('Content-Type', MANIFEST_CONTENT_TYPE)
  @AnswersFile('Look whether there is a manifest; reserves nothing', 'text/xml')
  async lookAtManifest(@Ctx() ctx: RequestContext, @Link() link: LinkPath): Promise<void> {
    await this.install.requireOverTheAir(ctx, link);
  }

  @Get('manifest.plist')
  @Access({ invite: true, gated: true })
  @Limit('page')
  @Errors('not_found', 'operation_not_allowed')
  @Header('Content-Type', MANIFEST_CONTENT_TYPE)
  @AnswersFile('Get the over-the-air manifest for iOS, with a download URL of its own', 'text/xml')
  manifest(@Ctx() ctx: RequestContext, @Link() link: LinkPath): Promise<string> {
    return this.install.manifest(ctx, link);
  }

  @Get('icon.png')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @AnswersFile("Get the app's icon", 'image/*')
  async icon(@Ctx() ctx: RequestContext, @Link() link: LinkPath, @Res() response: Response): Promise<void> {
    const { mediaType, data } = await this.install.icon(ctx, link);
    response
      .set({ 'Content-Type': mediaType, 'Content-Security-Policy': INERT, 'Cache-Control': 'private, max-age=3600' })
      .send(data);
  }

  @Get('qr.svg')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @Header('Content-Type', QR_CONTENT_TYPE)
  @Header('Content-Security-Policy', INERT)
  @AnswersFile('Get the address of the page as a QR code', 'image/svg+xml')
  async qrCode(@Ctx() ctx: RequestContext, @Link() link: LinkPath): Promise<string> {
    return qrCodeSvg(await this.install.pageUrl(ctx, link));
  }

  @Head(':package_file')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @AnswersBlobHead('Look at size and type of the package; reserves nothing')
  async lookAtPackage(
    @Ctx() ctx: RequestContext,
    @Link() link: LinkPath,
    @Param('package_file') file: string,
    @Req() request: AgateRequest,
    @Res() response: Response,
  ): Promise<void> {
    await sendBlob(request, response, await this.install.lookAtPackage(ctx, link, file));
  }

  @Get(':package_file')
  @Access({ invite: true, gated: true })
  @Limit('page')
  @Errors('not_found')
  @Redirects('Download the package, by way of a download URL made for this request')
  async package(
    @Ctx() ctx: RequestContext,
    @Link() link: LinkPath,
    @Param('package_file') file: string,
  ): Promise<{ url: string }> {
    return { url: await this.install.downloadUrl(ctx, link, file) };
  }
}

/** What a link is about: a build, or whatever its channel or tester has. */
@ApiTags('Install')
@Controller('install/:invite_token')
export class InstallController extends InstallRoutes {
  constructor(install: InstallService) {
    super(install);
  }
}

/** One of the builds behind a link. */
@ApiTags('Install')
@Controller('install/:invite_token/builds/:build_id')
export class LinkedBuildController extends InstallRoutes {
  constructor(install: InstallService) {
    super(install);
  }
}
