import { Controller, Get, Head, Header, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiFile, ApiHtmlPage, Errors } from '#infra/http/response/api-responses';
import { messagesOf, Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { Limit } from '#infra/rate-limit/limits';
import { DEVICE_CAPTURE_DOCS } from '../install.docs';
import { IMAGE_CONTENT_SECURITY_POLICY } from '../page/icon-response';
import { addressesOfLink, Link, type LinkAddresses, type LinkPath } from '../page/link-addresses';
import { QR_CONTENT_TYPE, QR_PNG_CONTENT_TYPE, QR_PNG_SIZE, qrCodePng, qrCodeSvg } from '../page/qr-code';
import { QrPngQuery } from '../page/qr-code.dto';
import { type CaptureReceipt, DeviceCaptureService } from './device-capture.service';
import { deviceCookieName, deviceCookieOptions, deviceCookiesOf } from './device-cookie';
import { devicePageFor, receiptPage } from './device-page.view';
import { PROFILE_CONTENT_TYPE } from './enrolment-profile';

/** Documents the receipt in a path. */
const ReceiptParam = (): MethodDecorator =>
  ApiParam({ name: 'receipt', type: 'string', description: 'The receipt of a registration. It is shown once.' });

/** The pages on which testers register their iPhones and iPads. They work without script. */
@ApiTags('Install')
@Describe(DEVICE_CAPTURE_DOCS)
@Controller('install/:invite_token')
@UseInterceptors(PageInterceptor)
export class DeviceCaptureController {
  constructor(
    private readonly capture: DeviceCaptureService,
    private readonly config: HttpConfig,
  ) {}

  @Get('device')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @ApiHtmlPage('Show the page that registers an iPhone or iPad; changes nothing')
  async show(@Ctx() ctx: RequestContext, @Link() { token }: LinkPath, @Req() request: AppRequest): Promise<HtmlPage> {
    return devicePageFor(request, await this.capture.subject(ctx, token), this.addressesOf(token));
  }

  @Get('device.mobileconfig')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @Header('Content-Type', PROFILE_CONTENT_TYPE)
  @Header('Content-Disposition', 'attachment; filename="device.mobileconfig"')
  @Header('Cache-Control', 'no-store')
  @ApiFile('Get the profile with which an iPhone or iPad sends its id', PROFILE_CONTENT_TYPE)
  profile(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Translations() messages: Messages,
  ): Promise<string> {
    return this.capture.profile(ctx, token, messages);
  }

  @Get('device/qr.svg')
  @Access({ invite: true })
  @Limit('asset')
  @Errors('not_found')
  @Header('Content-Type', QR_CONTENT_TYPE)
  @Header('Content-Security-Policy', IMAGE_CONTENT_SECURITY_POLICY)
  @ApiFile('Get the address of the page that registers a device as a QR code', 'image/svg+xml')
  async qrCode(@Ctx() ctx: RequestContext, @Link() { token }: LinkPath): Promise<string> {
    return qrCodeSvg(await this.capture.pageUrl(ctx, token));
  }

  @Get('device/qr.png')
  @Access({ invite: true })
  @Limit('asset')
  @Errors('not_found')
  @Header('Content-Type', QR_PNG_CONTENT_TYPE)
  @Header('Content-Security-Policy', IMAGE_CONTENT_SECURITY_POLICY)
  @ApiFile('Get the address of the page that registers a device as a QR code in pixels', QR_PNG_CONTENT_TYPE)
  async qrCodePng(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Query() { size = QR_PNG_SIZE.default }: QrPngQuery,
    @Res() response: Response,
  ): Promise<void> {
    response.send(qrCodePng(await this.capture.pageUrl(ctx, token), size));
  }

  /** Does not spend the receipt. */
  @Head('device/:receipt')
  @ReceiptParam()
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @ApiHtmlPage('Check whether the link works; changes nothing')
  lookAtReceipt(@Ctx() ctx: RequestContext, @Link() link: LinkPath, @Req() request: AppRequest): Promise<HtmlPage> {
    return this.show(ctx, link, request);
  }

  @Get('device/:receipt')
  @ReceiptParam()
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @ApiHtmlPage('Show once which version a device that was just registered can install')
  async receipt(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Param('receipt') receipt: string,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HtmlPage> {
    const cookies = deviceCookiesOf(request);
    const shown = await this.capture.receipt(ctx, token, receipt, (id) => cookies[deviceCookieName(id)]);
    this.setCookie(response, shown);
    return receiptPage(shown, this.addressesOf(token), messagesOf(request));
  }

  private setCookie(response: Response, { device }: CaptureReceipt): void {
    const options = deviceCookieOptions(this.config.installBaseUrl);
    response.cookie(deviceCookieName(device.projectId), this.capture.cookieFor(device), options);
  }

  private addressesOf(token: string): LinkAddresses {
    return addressesOfLink(this.config.installBaseUrl, token);
  }
}
