import { Readable } from 'node:stream';
import { Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { projectScope } from '#infra/http/dto/scope-query';
import { AcceptsCsv, BodyLimit, CsvBody } from '#infra/http/request/body-parsers';
import { Ctx } from '#infra/http/request/context';
import { ApiFile, ApiResult, Errors } from '#infra/http/response/api-responses';
import { sendCsv } from '#infra/http/response/stream-response';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Heavy } from '#infra/rate-limit/heavy';
import { Limit } from '#infra/rate-limit/limits';
import { DEVICE_FILES_DOCS } from '../devices.docs';
import { ExportDevicesQuery, ImportDevicesQuery, ImportedDevicesResponse } from '../devices.dto';
import { appleFile, DEVICE_COLUMNS, type OpenedDevice, parseDevicesFile, toDeviceRow } from './device-files';
import { DeviceFilesService } from './device-files.service';

/** Imports and exports devices. */
@ApiTags('Devices')
@Describe(DEVICE_FILES_DOCS)
@Controller('devices')
export class DeviceFilesController {
  constructor(private readonly files: DeviceFilesService) {}

  @Get('export')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:read'))
  @Heavy()
  @Errors('not_found')
  @ApiFile('Get devices as the file with which Apple registers them, or as CSV', 'text/plain', 'text/csv')
  async export(
    @Ctx() ctx: RequestContext,
    @Query() query: ExportDevicesQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { ids, build_id: buildId, provisioned, registered, format = 'apple' } = query;
    const devices = await this.files.read(ctx, projectScope(query), { ids, buildId, provisioned, registered });
    if (format === 'csv') {
      const rows = Readable.from(devices) as AsyncIterable<OpenedDevice>;
      await sendCsv(response, { fileName: 'devices.csv', columns: DEVICE_COLUMNS, rows }, toDeviceRow);
      return;
    }
    response
      .set({
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': 'attachment; filename="devices.txt"',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      })
      .send(appleFile(devices));
  }

  @Post('import')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @BodyLimit({ maxBytes: 256 * 1024 })
  @Idempotent()
  @Errors('quota_exceeded')
  @AcceptsCsv('Device ID,Device Name,Device Platform\r\n00008101-000A1C3E0E88001E,Tess iPhone,ios\r\n')
  @ApiResult('Add the devices of a file: all that are new, or none', ImportedDevicesResponse)
  async import(
    @Ctx() ctx: RequestContext,
    @Query() query: ImportDevicesQuery,
    @CsvBody() text: string,
  ): Promise<ImportedDevicesResponse> {
    const { registered: isRegistered = false, dry_run: dryRun = false } = query;
    return this.files.import(ctx, projectScope(query), parseDevicesFile(text), { isRegistered, dryRun });
  }
}
