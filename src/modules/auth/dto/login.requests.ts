import { EmailField, TextField } from '#infra/http/dto/fields';
import { PasswordField } from '#infra/http/dto/password-field';

export class LoginRequest {
  @EmailField()
  email: string;

  @PasswordField()
  password: string;

  @TextField({
    max: 20,
    optional: true,
    description: 'With a second factor: its code, or a recovery code.',
    example: '123456',
  })
  mfa_code?: string;
}

export class RefreshRequest {
  @TextField({ max: 100, optional: true, description: 'Or the cookie dfdeveloper_refresh.', example: 'ag_ref_…' })
  refresh_token?: string;
}
