import { Controller, Get, Head, Header, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { chosenDevice, detectDevice } from '#kernel/builds/device';
import { type RequestContext } from '#kernel/context/request-context';
import {
  IMAGE_CONTENT_SECURITY_POLICY,
  MANIFEST_CONTENT_TYPE,
  QR_CONTENT_TYPE,
  qrCodeSvg,
  sendIcon,
} from '#modules/install';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiBlobHead, ApiFile, ApiHtmlPage, ApiRedirect, Errors, ServesHtml } from '#infra/http/response/api-responses';
import { sendBlob } from '#infra/http/response/blob-response';
import { Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { Limit } from '#infra/rate-limit/limits';
import { UPDATE_INSTALL_DOCS } from '../updates.docs';
import { UpdateInstallService } from './update-install.service';

/** `install_url` of update checks: the page of the current build, for people, and its files. HEAD requests mint and reserve nothing. */
@ApiTags('Updates')
@Describe(UPDATE_INSTALL_DOCS)
@ApiParam({ name: 'update_key', type: 'string', description: 'The key in the app.' })
@Controller('updates/:update_key/install')
export class UpdateInstallController {
  constructor(private readonly install: UpdateInstallService) {}

  @Get()
  @Access({ public: true })
  @Limit('page')
  @Errors('not_found')
  @ApiQuery({
    name: 'device',
    required: false,
    schema: { type: 'string' },
    description: 'Shows the page for this device instead of the detected one: `iphone`, `ipad` or `android`.',
  })
  @UseInterceptors(PageInterceptor)
  @ApiHtmlPage('Show the page of the current build, adapted to the device')
  page(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Req() request: AppRequest,
    @Query('device') choice: unknown,
    @Translations() messages: Messages,
  ): Promise<HtmlPage> {
    const hints = { platform: request.get('sec-ch-ua-platform') };
    const device = chosenDevice(detectDevice(request.get('user-agent'), hints), choice);
    return this.install.page(ctx, key, { device, messages });
  }

  @Head('manifest.plist')
  @Access({ public: true })
  @Limit('page')
  @Errors('not_found', 'operation_not_allowed')
  @ServesHtml()
  @Header('Content-Type', MANIFEST_CONTENT_TYPE)
  @ApiFile('Check whether there is a manifest; reserves nothing', 'text/xml')
  async lookAtManifest(@Ctx() ctx: RequestContext, @Param('update_key') key: string): Promise<void> {
    await this.install.requireOverTheAir(ctx, key);
  }

  @Get('manifest.plist')
  @Access({ public: true })
  @Limit('page')
  @Errors('not_found', 'operation_not_allowed', 'prepaid_credit_exhausted', 'spend_cap_exceeded', 'quota_exceeded')
  @ServesHtml()
  @Header('Content-Type', MANIFEST_CONTENT_TYPE)
  @ApiFile('Get the over-the-air manifest for iOS, with a download URL minted for it', 'text/xml')
  manifest(@Ctx() ctx: RequestContext, @Param('update_key') key: string): Promise<string> {
    return this.install.manifest(ctx, key);
  }

  @Get('icon.png')
  @Access({ public: true })
  @Limit('asset')
  @Errors('not_found')
  @ApiFile("Get the app's icon", 'image/*')
  async icon(@Ctx() ctx: RequestContext, @Param('update_key') key: string, @Res() response: Response): Promise<void> {
    sendIcon(response, await this.install.icon(ctx, key));
  }

  @Get('qr.svg')
  @Access({ public: true })
  @Limit('asset')
  @Errors('not_found')
  @Header('Content-Type', QR_CONTENT_TYPE)
  @Header('Content-Security-Policy', IMAGE_CONTENT_SECURITY_POLICY)
  @ApiFile('Get the address of the page as a QR code', 'image/svg+xml')
  async qrCode(@Ctx() ctx: RequestContext, @Param('update_key') key: string): Promise<string> {
    return qrCodeSvg(await this.install.pageUrl(ctx, key));
  }

  @Head(':package_file')
  @Access({ public: true })
  @Limit('page')
  @Errors('not_found')
  @ServesHtml()
  @ApiBlobHead('Get size and type of the package; reserves nothing')
  async lookAtPackage(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Param('package_file') file: string,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<void> {
    await sendBlob(request, response, await this.install.describePackage(ctx, key, file));
  }

  @Get(':package_file')
  @Access({ public: true })
  @Limit('page')
  @Errors('not_found', 'prepaid_credit_exhausted', 'spend_cap_exceeded', 'quota_exceeded')
  @ServesHtml()
  @ApiRedirect('Download the package; redirects to a download URL minted for this request')
  async package(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Param('package_file') file: string,
  ): Promise<{ url: string }> {
    return { url: await this.install.downloadUrl(ctx, key, file) };
  }
}
