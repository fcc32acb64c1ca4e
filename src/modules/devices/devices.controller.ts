import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { BodyLimit } from '#infra/http/request/body-parsers';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { DeviceViews } from './device-views';
import { DEVICES_DOCS } from './devices.docs';
import {
  DevicePage,
  DeviceResponse,
  ListDevicesQuery,
  MarkedRegisteredResponse,
  MarkRegisteredRequest,
  MAX_DEVICES_AT_ONCE,
  UpdateDeviceRequest,
} from './devices.dto';
import { toDeviceResponse } from './devices.mapper';
import { DevicesService } from './devices.service';

@ApiTags('Devices')
@Describe(DEVICES_DOCS)
@Controller('devices')
export class DevicesController {
  constructor(
    private readonly devices: DevicesService,
    private readonly views: DeviceViews,
  ) {}

  @Get()
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:read'))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('List the devices of a project, newest first', DevicePage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListDevicesQuery): Promise<DevicePage> {
    const scope = projectScope(query);
    const { tester_id: testerId, build_id: buildId, provisioned, registered, include } = query;
    const page = await this.views.list(ctx, scope, { testerId, buildId, provisioned, registered }, query);
    if (include && page.items.length > 0) await this.devices.recordExport(ctx, scope, page.items.length);
    return toPage(page, (device) => toDeviceResponse(device, include ? this.devices.udidOf(device) : null));
  }

  @Post('mark-registered')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @BodyLimit({ maxBytes: 128 * 1024, maxItems: MAX_DEVICES_AT_ONCE })
  @Idempotent()
  @ApiResult('Mark devices as registered with Apple', MarkedRegisteredResponse)
  async markRegistered(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() { ids }: MarkRegisteredRequest,
  ): Promise<MarkedRegisteredResponse> {
    return { marked: await this.devices.markRegistered(ctx, projectScope(query), ids) };
  }

  @Patch(':device_id')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @Idempotent()
  @Errors('not_found')
  @ApiResult('Name a device, or assign it to a tester', DeviceResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('device_id') id: string,
    @Body() { name, tester_id: testerId }: UpdateDeviceRequest,
  ): Promise<DeviceResponse> {
    const scope = projectScope(query);
    await this.devices.update(ctx, scope, id, { name, testerId });
    const [device] = (await this.views.list(ctx, scope, { ids: [id] }, { limit: 1 })).items;
    // It may have been removed since.
    if (!device) throw AppError.notFound('device');
    return toDeviceResponse(device, null);
  }

  @Delete(':device_id')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @Idempotent()
  @Errors('not_found')
  @ApiNoContent('Remove a device')
  remove(@Ctx() ctx: RequestContext, @Query() query: ProjectQuery, @IdParam('device_id') id: string): Promise<void> {
    return this.devices.remove(ctx, projectScope(query), id);
  }
}
