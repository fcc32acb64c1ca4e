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
    description: 'Required when a second factor is enabled: its current code, or a recovery code.',
    example: '123456',
  })
  mfa_code?: string;
}

export class RefreshRequest {
  @TextField({
    max: 100,
    optional: true,
    description: 'Absent: the cookie dfdeveloper_refresh is used.',
    example: 'ag_ref_…',
  })
  refresh_token?: string;
}
