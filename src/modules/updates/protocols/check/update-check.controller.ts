import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { CurrentBuildsService } from '../../current/current-builds.service';
import { InstallationsService } from '../../installations/installations.service';
import { UPDATE_CHECK_DOCS } from '../../updates.docs';
import { ApiPolled } from '../polling/api-polled';
import { jsonBody, sendCacheable } from '../polling/send-cacheable';
import { UpdateAddresses } from '../polling/update-addresses';
import { checkUpdate } from './update-check';
import { UpdateCheckQuery, UpdateCheckResponse } from './update-check.dto';

/** The check that any app can send. The key in the path is the entire credential. */
@ApiTags('Updates')
@Describe(UPDATE_CHECK_DOCS)
@ApiParam({ name: 'update_key', type: 'string', description: 'The key in the app.' })
@Controller('updates/:update_key')
export class UpdateCheckController {
  constructor(
    private readonly builds: CurrentBuildsService,
    private readonly installations: InstallationsService,
    private readonly addresses: UpdateAddresses,
  ) {}

  @Get()
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiPolled('Check for an update', UpdateCheckResponse)
  async check(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Query() query: UpdateCheckQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { install_id: installId } = query;
    const installation = installId === undefined ? undefined : this.installations.digestOf(key, installId);
    const opened = await this.builds.require(ctx, key, installation);
    const app = { version: query.version, buildNumber: query.build, osVersion: query.os_version };
    const facts = {
      installUrl: this.addresses.ofInstallPage(key),
      packageUrl: this.addresses.ofPackage(opened),
      now: ctx.clock.now(),
    };
    const checked = checkUpdate(opened, app, facts);
    if (installation && checked.relation === 'same') await this.installations.count(ctx, opened, installation);
    sendCacheable(request, response, jsonBody(checked));
  }
}
