import { EmailField } from '#infra/http/dto/fields';
import { NewPasswordField, PasswordField } from '#infra/http/dto/password-field';

export class PasswordRequest {
  @PasswordField()
  password: string;
}

export class ChangePasswordRequest {
  @PasswordField()
  current_password: string;

  @NewPasswordField()
  new_password: string;
}

export class ChangeEmailRequest extends PasswordRequest {
  @EmailField()
  new_email: string;
}
