import { ApiSchema } from '@nestjs/swagger';
import { TextField } from '#infra/http/dto/fields';
import { NewPasswordField } from '#infra/http/dto/password-field';
import { CookiesOnlyField } from '../sessions/sessions.dto';

@ApiSchema({ description: 'A new account for an invited address.' })
export class InvitationLoginRequest {
  @TextField({ max: 200, description: 'The token from the mailed link.', example: 'kq0YyX…' })
  token: string;

  @NewPasswordField()
  password: string;

  @TextField({ max: 100, optional: true, example: 'Ann Example', description: 'Your name, as other members see it.' })
  name?: string;

  @CookiesOnlyField()
  cookies_only?: boolean;
}
