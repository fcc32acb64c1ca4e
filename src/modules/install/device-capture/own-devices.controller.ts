import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Post,
  Req,
  UseInterceptors,
} from '@nestjs/common';
import { ApiResponse, ApiSchema, ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { HttpConfig } from '#infra/config/config';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { BlankIsAbsent, TextField } from '#infra/http/dto/fields';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm, prefersHtml } from '#infra/http/request/html-form';
import { ApiNoContent, Errors, ServesHtml } from '#infra/http/response/api-responses';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { Limit } from '#infra/rate-limit/limits';
import { MAX_DEVICE_NAME } from '#modules/devices';
import { OWN_DEVICES_DOCS } from '../install.docs';
import { addressesOfLink, linkTokenOf } from '../page/link-addresses';
import { type CaptureSubject, DeviceCaptureService } from './device-capture.service';
import { devicePageFor } from './device-page.view';

@ApiSchema({ description: 'The name that a tester gives one of their devices.' })
export class NameDeviceRequest {
  @BlankIsAbsent()
  @TextField({
    max: MAX_DEVICE_NAME,
    optional: true,
    example: "Tess' iPhone",
    description: 'The name. Absent or empty: none.',
  })
  name?: string;
}

interface DevicePath {
  readonly token: string;
  readonly deviceId: string;
}

/** Injects the link and the device of the path. @throws AppError not_found for a malformed id. */
const OwnDevice = createParamDecorator((_: unknown, execution: ExecutionContext): DevicePath => {
  const request = execution.switchToHttp().getRequest<AppRequest>();
  const { device_id: id } = request.params as Partial<Record<string, string>>;
  if (!isUuid(id)) throw AppError.notFound('device');
  return { token: linkTokenOf(request), deviceId: id.toLowerCase() };
});

const HTML = { 'text/html': { schema: { type: 'string' } } } as const;

/** The changes that testers make to their devices through their own links. A browser gets a page, a program 204. */
@ApiTags('Install')
@Describe(OWN_DEVICES_DOCS)
@Controller('install/:invite_token/devices/:device_id')
@UseInterceptors(PageInterceptor)
export class OwnDevicesController {
  constructor(
    private readonly capture: DeviceCaptureService,
    private readonly config: HttpConfig,
  ) {}

  @Post()
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @AcceptsForm()
  @ApiNoContent('Name a device of the tester who owns the link')
  async rename(
    @Ctx() ctx: RequestContext,
    @OwnDevice() { token, deviceId }: DevicePath,
    @Body() { name }: NameDeviceRequest,
    @Req() request: AppRequest,
  ): Promise<HtmlPage | undefined> {
    const subject = await this.capture.rename(ctx, token, deviceId, name ?? null);
    return prefersHtml(request) ? this.page(request, token, subject) : undefined;
  }

  @Post('remove')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @ServesHtml()
  @ApiResponse({ status: 200, description: 'A page, if the client prefers HTML.', content: HTML })
  @ApiNoContent('Remove a device of the tester who owns the link')
  async remove(
    @Ctx() ctx: RequestContext,
    @OwnDevice() { token, deviceId }: DevicePath,
    @Req() request: AppRequest,
  ): Promise<HtmlPage | undefined> {
    const subject = await this.capture.remove(ctx, token, deviceId);
    return prefersHtml(request) ? this.page(request, token, subject) : undefined;
  }

  private page(request: AppRequest, token: string, subject: CaptureSubject): HtmlPage {
    return devicePageFor(request, subject, addressesOfLink(this.config.installBaseUrl, token));
  }
}
