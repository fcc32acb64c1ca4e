import { Controller, Get, Param, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { chosenDevice, detectDevice } from '#kernel/builds/device';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiHtmlPage, Errors } from '#infra/http/response/api-responses';
import { Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { Limit } from '#infra/rate-limit/limits';
import { InstallFiles } from '#modules/install';
import { UPDATE_INSTALL_DOCS } from '../updates.docs';
import { UpdateInstallService } from './update-install.service';

const UPDATE_KEY = { name: 'update_key', type: 'string', description: 'The key in the app.' };

/** `install_url` of update checks: the page of the current build, for people, and its files. HEAD requests mint and reserve nothing. */
@ApiTags('Updates')
@Describe(UPDATE_INSTALL_DOCS)
@ApiParam(UPDATE_KEY)
@Controller('updates/:update_key/install')
export class UpdateInstallController extends InstallFiles<string>({
  PathParam: () => Param('update_key'),
  params: [UPDATE_KEY],
  access: { public: true },
  mintAccess: { public: true },
  mintErrors: ['prepaid_credit_exhausted', 'spend_cap_exceeded', 'quota_exceeded'],
}) {
  constructor(protected readonly install: UpdateInstallService) {
    super();
  }

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
}
