import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ApiResult } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { SETTINGS_DOCS } from './settings.docs';
import { ServiceResponse, toServiceResponse } from './settings.dto';
import { SettingsService } from './settings.service';

@ApiTags('Service')
@Describe(SETTINGS_DOCS)
@Controller('service')
export class SettingsController {
  constructor(private readonly service: SettingsService) {}

  @Get()
  @Access({ public: true })
  @Limit('read')
  @Header('Cache-Control', 'public, max-age=60')
  @ApiResult('Get the settings of the service that clients need', ServiceResponse)
  find(): ServiceResponse {
    return toServiceResponse(this.service.settings);
  }
}
