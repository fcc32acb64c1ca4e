import { ApiSchema } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { type Language, LANGUAGES } from '#kernel/text/language';
import { BooleanField, EmailField, EnumField, TextField } from '#infra/http/dto/fields';
import { NewPasswordField } from '#infra/http/dto/password-field';
import { CaptchaField } from '#modules/captcha';

@ApiSchema({ description: 'A new account.' })
export class SignUpRequest {
  @EmailField({
    description: 'The address of the account. It must be verified before the account can change anything.',
  })
  email: string;

  @NewPasswordField()
  password: string;

  @TextField({ max: 100, optional: true, example: 'Ann Example', description: 'Your name, as other members see it.' })
  name?: string;

  @CaptchaField()
  captcha?: string;
}

@ApiSchema({ description: 'Changes of the profile. Absent fields stay as they are.' })
export class UpdateDeveloperRequest {
  @TextField({
    max: 100,
    optional: true,
    nullable: true,
    example: 'Ann Example',
    description: 'Your name, as other members see it. `null` removes it.',
  })
  name?: string | null;

  @EnumField(LANGUAGES, { optional: true, description: 'The language of the mails to you.' })
  language?: Language;
}

@ApiSchema({ description: 'The address of an account.' })
export class EmailRequest {
  @EmailField({ description: 'The address that may have an account.' })
  email: string;

  @TextField({
    max: 4000,
    min: 0,
    optional: true,
    description: 'Ignored: only the sign-up requires a captcha. The field exists for clients that still send it.',
    example: 'eyJjaGFsbGVuZ2UiOnsicGFyYW1ldGVycyI6e319fQ==',
  })
  captcha?: string;
}

@ApiSchema({ description: 'The token of a mailed link.' })
export class VerifyEmailRequest {
  @TextField({ max: 200, description: 'The token in the mailed link.', example: 'kq0YyX…' })
  token: string;
}

/** Maximum length of the token in a reset link. */
export const MAX_RESET_TOKEN_LENGTH = 200;

@ApiSchema({ description: 'The token of a mailed link, and the new password.' })
export class ResetPasswordRequest {
  @TextField({ max: MAX_RESET_TOKEN_LENGTH, description: 'The token in the mailed link.', example: 'kq0YyX…' })
  token: string;

  @NewPasswordField()
  new_password: string;

  // A checkbox of a form sends text.
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value))
  @BooleanField({
    optional: true,
    description: 'Whether to revoke all your personal access tokens too. Default: false.',
    example: false,
  })
  revoke_pats?: boolean;
}
