import { BooleanField, EmailField, IdField, TextField, TimeField } from '#infra/http/dto/fields';

export class DeveloperResponse {
  @IdField()
  id: string;

  @EmailField()
  email: string;

  @TextField({ max: 100, nullable: true, example: 'Ann Example' })
  name: string | null;

  @BooleanField({ description: 'Until it is, state-changing actions answer 403 email_not_verified.' })
  email_verified: boolean;

  @BooleanField({ description: 'Whether logging in takes a one-time code, too.', example: false })
  mfa_enabled: boolean;

  @TimeField()
  created_at: string;
}

/** The one answer of routes that must not tell whether an e-mail is known. */
export class AcceptedResponse {
  @TextField({ max: 200, example: 'Look in your inbox: we have sent you a mail.' })
  message: string;
}
