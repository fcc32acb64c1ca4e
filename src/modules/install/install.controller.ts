import { Controller, Get, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { chosenDevice, detectDevice, isOpening } from '#kernel/builds/device';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiHtmlPage, Errors } from '#infra/http/response/api-responses';
import { pageNavigationOf, Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { type HtmlPage, type RenderedPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { type PageNavigation } from '#infra/pages/rendering/page-renderer';
import { Limit } from '#infra/rate-limit/limits';
import { deviceCookiesOf } from './device-capture/device-cookie';
import { INSTALL_DOCS } from './install.docs';
import { InstallService } from './install.service';
import { InstallFiles } from './install-files';
import { InstallPagesService } from './page/install-pages.service';
import { Link, type LinkPath } from './page/link-addresses';

/**
 * The routes of an install link. The token in the path is the entire credential, because the installer of a phone is another process
 * than its browser and sends no cookie. HEAD requests mint and reserve nothing.
 */
@Describe(INSTALL_DOCS)
export abstract class InstallRoutes extends InstallFiles<LinkPath>({
  PathParam: Link,
  access: { invite: true },
  mintAccess: { invite: true, gated: true },
}) {
  constructor(
    protected readonly install: InstallService,
    protected readonly pages: InstallPagesService,
  ) {
    super();
  }

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
    const deviceCookies = deviceCookiesOf(request);
    return this.pages.page(ctx, link, { device, messages, isOpened, query, navigation, deviceCookies });
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
