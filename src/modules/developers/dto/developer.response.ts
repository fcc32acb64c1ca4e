import { ApiSchema } from '@nestjs/swagger';
import { type Language, LANGUAGES } from '#kernel/text/language';
import { BooleanField, EmailField, EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';

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
    description: 'What to do next, for people.',
  })
  message: string;
}
