import { ApiSchema } from '@nestjs/swagger';
import { EmailField } from '#infra/http/dto/fields';
import { NewPasswordField, PasswordField } from '#infra/http/dto/password-field';

@ApiSchema({ description: 'Confirms that the owner of the account sends the request.' })
export class PasswordRequest {
  @PasswordField()
  password: string;
}

@ApiSchema({ description: 'The present and the new password.' })
export class ChangePasswordRequest {
  @PasswordField()
  current_password: string;

  @NewPasswordField()
  new_password: string;
}

@ApiSchema({ description: 'The address that the account is to have.' })
export class ChangeEmailRequest extends PasswordRequest {
  @EmailField({
    description: 'The new address. A link that confirms it is mailed there.',
    example: 'ann@new.example.com',
  })
  new_email: string;
}
