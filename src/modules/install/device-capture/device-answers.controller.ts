import { applyDecorators, Controller, Param, Post, Redirect } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { AcceptsSigned, SignedBody } from '#infra/http/request/body-parsers';
import { Ctx } from '#infra/http/request/context';
import { Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { DEVICE_ANSWERS_DOCS } from '../install.docs';
import { DeviceCaptureService } from './device-capture.service';

/** A phone opens the address of this redirect in its browser only with the status 301. */
const RedirectsPhone = (summary: string): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary }),
    Redirect('', 301),
    ApiResponse({
      status: 301,
      description: 'The device is registered. The page in Location says what it can install.',
    }),
  );

/**
 * Receives the answers of phones to enrolment profiles. The ticket in the path is the entire credential, because the settings of a phone
 * are another process than its browser and send no cookie.
 */
@ApiTags('Install')
@ApiParam({ name: 'ticket', description: 'The ticket of a profile. It is valid for 15 minutes and one answer.' })
@Describe(DEVICE_ANSWERS_DOCS)
@Controller('install/devices/:ticket')
export class DeviceAnswersController {
  constructor(private readonly capture: DeviceCaptureService) {}

  @Post()
  @Access({ public: true })
  @Limit('device')
  @AcceptsSigned()
  @Errors('not_found', 'invalid_input', 'quota_exceeded')
  @RedirectsPhone('Register the device of a signed answer to a profile')
  async receive(
    @Ctx() ctx: RequestContext,
    @Param('ticket') ticket: string,
    @SignedBody() answer: Buffer,
  ): Promise<{ url: string }> {
    return { url: await this.capture.register(ctx, ticket, answer) };
  }
}
