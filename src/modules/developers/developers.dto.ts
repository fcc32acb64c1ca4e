import { ApiHeader, ApiSchema } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { type Language, LANGUAGES } from '#kernel/text/language';
import { BooleanField, EmailField, EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { NewPasswordField, PasswordField } from '#infra/http/dto/password-field';
import { CaptchaField } from '#modules/captcha';
import { type Developer } from './developers.service';

/** Documents the header that sets the language of a new account. */
export const AcceptLanguageOfAccount = (): MethodDecorator & ClassDecorator =>
  ApiHeader({
    name: 'accept-language',
    required: false,
    description: 'Sets the language of the account, if mails exist in one of these languages. Default: English.',
    schema: { type: 'string' },
  });

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

@ApiSchema({ description: 'The account of a person who logs in.' })
export class DeveloperResponse {
  @IdField({ of: 'developer' })
  id: string;

  @EmailField({ description: 'The address of the account. Logins and mails use it.' })
  email: string;

  @TextField({
    max: 100,
    nullable: true,
    example: 'Ann Example',
    description: 'The name that other members see. `null` when none was given.',
  })
  name: string | null;

  @BooleanField({ description: 'While false, requests that change state are rejected with 403 email_not_verified.' })
  email_verified: boolean;

  @BooleanField({ description: 'Whether a login also needs a one-time code.', example: false })
  mfa_enabled: boolean;

  @EnumField(LANGUAGES, { description: 'The language of the mails to you.' })
  language: Language;

  @TimeField({ example: '2026-11-02T09:12:41.307Z', description: 'When the account was created.' })
  created_at: string;
}

@ApiSchema({ description: 'The response of routes that must not reveal whether an address has an account.' })
export class AcceptedResponse {
  @TextField({
    max: 200,
    example: 'Look in your inbox: we have sent you a mail.',
    description: 'The next step, for people.',
  })
  message: string;
}

export const toDeveloperResponse = (developer: Developer, mfaEnabled: boolean): DeveloperResponse => ({
  id: developer.id,
  email: developer.email,
  name: developer.name,
  email_verified: developer.emailVerified,
  mfa_enabled: mfaEnabled,
  language: developer.language,
  created_at: developer.createdAt.toISOString(),
});
