import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { BooleanField, IdField, IntegerField, TextField } from '#infra/http/dto/fields';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { modelOf } from '#modules/devices';
import { BUILD_DEVICES_DOCS } from './build-device-views.docs';
import { BuildDeviceViewsService } from './build-device-views.service';
import { type KnownDevice } from './build-devices';

@ApiSchema({ description: 'A device that the project knows, and whether a build can be installed on it.' })
export class KnownDeviceResponse {
  @IdField({ of: 'device' })
  device_id: string;

  @IdField({ of: 'tester', nullable: true, description: 'The tester who uses it. `null` when unknown.' })
  tester_id: string | null;

  @TextField({
    max: 64,
    nullable: true,
    example: "Tess' iPhone",
    description: 'Its name, else its model. `null` when neither is known.',
  })
  name: string | null;

  @BooleanField({ description: 'Whether it is in the provisioning profile of the build.' })
  included: boolean;
}

@ApiSchema({ description: 'The devices on which a build can be installed.' })
export class BuildDevicesResponse {
  @IntegerField({
    min: 0,
    nullable: true,
    example: 14,
    description:
      'The number of devices in the provisioning profile. `null` when it is not restricted to devices: then the other numbers are 0.',
  })
  provisioned: number | null;

  @IntegerField({ min: 0, example: 11, description: 'The devices that the project knows and the profile includes.' })
  included: number;

  @IntegerField({ min: 0, example: 3, description: 'The devices that the project knows and the profile leaves out.' })
  missing: number;

  @ApiProperty({
    type: [KnownDeviceResponse],
    nullable: true,
    description:
      'The devices that the project knows, those that are left out first, at most 1,000. `null` for callers without `MANAGE_TESTERS`.',
  })
  known: KnownDeviceResponse[] | null;
}

@ApiTags('Builds')
@Describe(BUILD_DEVICES_DOCS)
@Controller('builds/:build_id')
export class BuildDeviceViewsController {
  constructor(private readonly devices: BuildDeviceViewsService) {}

  @Get('devices')
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('Get the devices on which a build can be installed', BuildDevicesResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
  ): Promise<BuildDevicesResponse> {
    const { known, ...counts } = await this.devices.get(ctx, projectScope(query), id);
    return { ...counts, known: known && known.map(toKnownDevice) };
  }
}

const toKnownDevice = ({ id, testerId, name, product, included }: KnownDevice): KnownDeviceResponse => ({
  device_id: id,
  tester_id: testerId,
  name: name ?? modelOf(product),
  included,
});
