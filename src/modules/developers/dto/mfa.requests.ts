import { TextField } from '#infra/http/dto/fields';
import { PasswordField } from '#infra/http/dto/password-field';

export class ConfirmMfaRequest {
  @TextField({ max: 20, description: 'The code that your authenticator app shows.', example: '123456' })
  code: string;
}

export class DisableMfaRequest extends ConfirmMfaRequest {
  @PasswordField()
  password: string;
}
