import { EmailField } from '#platform/http/fields';
import { NewPasswordField, PasswordField } from '#platform/http/password-field';

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
