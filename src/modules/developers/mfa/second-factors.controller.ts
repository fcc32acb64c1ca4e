import { Body, Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { SECOND_FACTORS_DOCS } from '../developers.docs';
import {
  ConfirmMfaRequest,
  DisableMfaRequest,
  EnrolmentResponse,
  EnrolMfaRequest,
  RecoveryCodesResponse,
} from './second-factors.dto';
import { SecondFactorsService } from './second-factors.service';

@ApiTags('Developer account')
@Describe(SECOND_FACTORS_DOCS)
@Controller('developers/me/mfa')
export class SecondFactorsController {
  constructor(private readonly factors: SecondFactorsService) {}

  @Post()
  @Access(ACCESS.login())
  @Limit('password')
  @Errors('already_exists', 'invalid_input')
  @ApiResult('Get a secret for your authenticator app; it has no effect until it is confirmed', EnrolmentResponse)
  async enrol(@Ctx() ctx: RequestContext, @Body() body: EnrolMfaRequest): Promise<EnrolmentResponse> {
    const { secret, otpauthUrl, qrCode, recoveryCodes } = await this.factors.enrol(ctx, body.password);
    return { secret, otpauth_url: otpauthUrl, qr_code_svg: qrCode, recovery_codes: [...recoveryCodes] };
  }

  @Post('confirm')
  @Access(ACCESS.login())
  @Limit('password')
  @Errors('invalid_input', 'operation_not_allowed')
  @ApiResult(
    'Enable the second factor; all sessions end. The response repeats the recovery codes of the enrolment',
    RecoveryCodesResponse,
  )
  async confirm(@Ctx() ctx: RequestContext, @Body() body: ConfirmMfaRequest): Promise<RecoveryCodesResponse> {
    return { recovery_codes: [...(await this.factors.confirm(ctx, body.password, body.code))] };
  }

  @Delete()
  @Access(ACCESS.login())
  @Limit('password')
  @Errors('invalid_input')
  @ApiNoContent('Disable the second factor; all sessions end')
  disable(@Ctx() ctx: RequestContext, @Body() body: DisableMfaRequest): Promise<void> {
    return this.factors.disable(ctx, body.password, body.code);
  }
}
