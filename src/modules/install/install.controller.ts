import { Controller, Get, Head, Header, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { type AppRequest } from '#infra/http/request/app-request';
import { ApiBlobHead, ApiFile, ApiHtmlPage, ApiRedirect, Errors } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { sendBlob } from '#infra/http/response/blob-response';
import { type HtmlPage, type RenderedPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { type PageNavigation } from '#infra/pages/rendering/page-renderer';
import { pageNavigationOf, Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { Limit } from '#infra/rate-limit/limits';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { chosenDevice, detectDevice, isOpening } from '#kernel/builds/device';
import { INSTALL_DOCS } from './install.docs';
import { InstallService } from './install.service';
import { Link, type LinkPath } from './page/link-addresses';
import { MANIFEST_CONTENT_TYPE } from './manifest';
import { InstallPagesService } from './page/install-pages.service';
import { IMAGE_CONTENT_SECURITY_POLICY, sendIcon } from './page/icon-response';
import { QR_CONTENT_TYPE, qrCodeSvg } from './page/qr-code';

/**
 * The routes of an install link. The token in the path is the entire credential, because the installer of a phone is another process
 * than its browser and sends no cookie. HEAD requests mint and reserve nothing.
 */
@Describe(INSTALL_DOCS)
export abstract class InstallRoutes {
  constructor(
    protected readonly install: InstallService,
    protected readonly pages: InstallPagesService,
  ) {}

  @Get()
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @ApiQuery({
    name: 'device',
    required: false,
    schema: { type: 'string' },
    description: 'Shows the page for this device instead of the detected one: `iphone`, `ipad` or `android`.',
  })
  @UseInterceptors(PageInterceptor)
  @ApiHtmlPage('Show the install page, adapted to the device')
  page(
    @Ctx() ctx: RequestContext,
    @Link() link: LinkPath,
    @Req() request: AppRequest,
    @Query('device') choice: unknown,
    @Translations() messages: Messages,
  ): Promise<HtmlPage | RenderedPage> {
    const hints = { platform: request.get('sec-ch-ua-platform') };
    const device = chosenDevice(detectDevice(request.get('user-agent'), hints), choice);
    const isOpened = isOpening(request.method, device);
    const query = request.originalUrl.split('?')[1] ?? '';
    const navigation = (): PageNavigation => pageNavigationOf(request);
    return this.pages.page(ctx, link, { device, messages, isOpened, query, navigation });
  }

  @Head('manifest.plist')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found', 'operation_not_allowed')
  @Header('Content-Type', MANIFEST_CONTENT_TYPE)
  @ApiFile('Check whether there is a manifest; reserves nothing', 'text/xml')
  async lookAtManifest(@Ctx() ctx: RequestContext, @Link() link: LinkPath): Promise<void> {
    await this.install.requireOverTheAir(ctx, link);
  }

  @Get('manifest.plist')
  @Access({ invite: true, gated: true })
  @Limit('page')
  @Errors('not_found', 'operation_not_allowed')
  @Header('Content-Type', MANIFEST_CONTENT_TYPE)
  @ApiFile('Get the over-the-air manifest for iOS, with a download URL minted for it', 'text/xml')
  manifest(@Ctx() ctx: RequestContext, @Link() link: LinkPath): Promise<string> {
    return this.install.manifest(ctx, link);
  }

  @Get('icon.png')
  @Access({ invite: true })
  @Limit('asset')
  @Errors('not_found')
  @ApiFile("Get the app's icon", 'image/*')
  async icon(@Ctx() ctx: RequestContext, @Link() link: LinkPath, @Res() response: Response): Promise<void> {
    sendIcon(response, await this.install.icon(ctx, link));
  }

  @Get('qr.svg')
  @Access({ invite: true })
  @Limit('asset')
  @Errors('not_found')
  @Header('Content-Type', QR_CONTENT_TYPE)
  @Header('Content-Security-Policy', IMAGE_CONTENT_SECURITY_POLICY)
  @ApiFile('Get the address of the page as a QR code', 'image/svg+xml')
  async qrCode(@Ctx() ctx: RequestContext, @Link() link: LinkPath): Promise<string> {
    return qrCodeSvg(await this.install.pageUrl(ctx, link));
  }

  @Head(':package_file')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @ApiBlobHead('Get size and type of the package; reserves nothing')
  async lookAtPackage(
    @Ctx() ctx: RequestContext,
    @Link() link: LinkPath,
    @Param('package_file') file: string,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<void> {
    await sendBlob(request, response, await this.install.describePackage(ctx, link, file));
  }

  @Get(':package_file')
  @Access({ invite: true, gated: true })
  @Limit('page')
  @Errors('not_found')
  @ApiRedirect('Download the package; redirects to a download URL minted for this request')
  async package(
    @Ctx() ctx: RequestContext,
    @Link() link: LinkPath,
    @Param('package_file') file: string,
  ): Promise<{ url: string }> {
    return { url: await this.install.downloadUrl(ctx, link, file) };
  }
}

/** The page of a link and the files of the build that it names. */
@ApiTags('Install')
@Controller('install/:invite_token')
export class InstallController extends InstallRoutes {
  constructor(install: InstallService, pages: InstallPagesService) {
    super(install, pages);
  }
}
