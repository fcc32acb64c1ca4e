import { TextField } from '#platform/http/fields';
import { PasswordField } from '#platform/http/password-field';

export class ConfirmMfaRequest {
  @TextField({ max: 20, description: 'The code that the authenticator app shows.', example: '123456' })
  code: string;
}

export class DisableMfaRequest extends ConfirmMfaRequest {
  @PasswordField()
  password: string;
}
