import { type Language, LANGUAGES } from '#kernel/text/language';
import { BooleanField, EmailField, EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';

export class DeveloperResponse {
  @IdField()
  id: string;

  @EmailField()
  email: string;

  @TextField({ max: 100, nullable: true, example: 'Ann Example' })
  name: string | null;

  @BooleanField({ description: 'While false, requests that change state are rejected with 403 email_not_verified.' })
  email_verified: boolean;

  @BooleanField({ description: 'Whether a login also needs a one-time code.', example: false })
  mfa_enabled: boolean;

  @EnumField(LANGUAGES, { description: 'The language of the mails to you.' })
  language: Language;

  @TimeField()
  created_at: string;
}

/** The response of routes that must not reveal whether an address has an account. */
export class AcceptedResponse {
  @TextField({ max: 200, example: 'Look in your inbox: we have sent you a mail.' })
  message: string;
}
