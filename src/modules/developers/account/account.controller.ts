import { Body, Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { ACCOUNT_DOCS } from '../developers.docs';
import { ChangeEmailRequest, ChangePasswordRequest, PasswordRequest } from '../developers.dto';
import { AccountService } from './account.service';

/** Changes of the account that need a login and the current password. */
@ApiTags('Developer account')
@Describe(ACCOUNT_DOCS)
@Controller('developers/me')
export class AccountController {
  constructor(private readonly account: AccountService) {}

  @Post('password')
  @Access(ACCESS.login())
  @Limit('password')
  @Errors('invalid_input')
  @ApiNoContent('Change your password; all sessions end')
  changePassword(@Ctx() ctx: RequestContext, @Body() body: ChangePasswordRequest): Promise<void> {
    return this.account.changePassword(ctx, body.current_password, body.new_password);
  }

  @Post('email')
  @Access(ACCESS.login())
  @Limit('password')
  @Errors('invalid_input')
  @ApiNoContent('Request a new e-mail address; it takes effect when the link mailed to it is used')
  changeEmail(@Ctx() ctx: RequestContext, @Body() body: ChangeEmailRequest): Promise<void> {
    return this.account.requestEmailChange(ctx, body.new_email, body.password);
  }

  @Delete()
  @Access(ACCESS.login())
  @Limit('password')
  @Errors('invalid_input', 'operation_not_allowed')
  @ApiNoContent('Delete your account, with its sessions, memberships and personal access tokens')
  delete(@Ctx() ctx: RequestContext, @Body() body: PasswordRequest): Promise<void> {
    return this.account.delete(ctx, body.password);
  }
}
