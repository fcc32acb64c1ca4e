import { ApiSchema } from '@nestjs/swagger';
import {
  AddressField,
  BlankIsAbsent,
  BooleanField,
  EmailField,
  IdField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { PasswordField } from '#infra/http/dto/password-field';

@ApiSchema({ description: 'The tokens of a session.' })
export class TokenPairResponse {
  @TextField({
    max: 8192,
    description: 'The access JWT, valid for ten minutes. Send it as `Authorization: Bearer …`.',
    example: 'eyJhbGciOiJSUzI1NiIs…',
  })
  token: string;

  @TextField({
    max: 100,
    description: 'The refresh token. It works once; each refresh returns a new pair.',
    example: 'ag_ref_…',
  })
  refresh_token: string;
}

export const CookiesOnlyField = (): PropertyDecorator =>
  BooleanField({
    optional: true,
    example: false,
    description:
      'For web pages: if true, the response is `204` and sets the cookies only, so that no script can read a token. Default: false.',
  });

@ApiSchema({ description: 'The credentials of a developer.' })
export class LoginRequest {
  @EmailField({ description: 'The address of the account.' })
  email: string;

  @PasswordField('The password of the account.')
  password: string;

  @TextField({
    max: 20,
    optional: true,
    description: 'Required when a second factor is enabled: its current code, or a recovery code.',
    example: '123456',
  })
  mfa_code?: string;

  @BlankIsAbsent()
  @TextField({
    max: 4000,
    min: 0,
    optional: true,
    description:
      'The solution of a challenge of GET /api/v1/captcha?for=login. Required when the previous response had `details.captcha_required`.',
    example: 'eyJjaGFsbGVuZ2UiOnsicGFyYW1ldGVycyI6e319fQ==',
  })
  captcha?: string;

  @CookiesOnlyField()
  cookies_only?: boolean;
}

@ApiSchema({ description: 'The refresh token, for clients without cookies.' })
export class RefreshRequest {
  @TextField({
    max: 100,
    optional: true,
    description: 'The refresh token of the pair. Absent: the cookie `dfdeveloper_refresh` is used.',
    example: 'ag_ref_…',
  })
  refresh_token?: string;

  @CookiesOnlyField()
  cookies_only?: boolean;
}

@ApiSchema({ description: 'Which sessions to end, and the refresh token of a client without cookies.' })
export class LogoutRequest {
  @TextField({
    max: 100,
    optional: true,
    description:
      'The refresh token of the pair, when the access JWT has expired. Absent: the cookie `dfdeveloper_refresh` is used.',
    example: 'ag_ref_…',
  })
  refresh_token?: string;

  @BooleanField({
    optional: true,
    description: 'Whether only the session of the request ends. Default: false, all sessions of the developer end.',
  })
  only_this_session?: boolean;
}

@ApiSchema({ description: 'A session of a developer, from a login until it ends.' })
export class SessionResponse {
  @IdField({ of: 'session' })
  id: string;

  @BooleanField({ description: 'Whether this is the session of the request.' })
  current: boolean;

  @TimeField({ description: 'The time of the login.', example: '2026-11-20T17:58:40.512Z' })
  created_at: string;

  @TimeField({
    nullable: true,
    description: 'The time of the last refresh. `null` when there was none.',
    example: '2026-11-20T18:03:00.123Z',
  })
  last_used_at: string | null;

  @TimeField({
    description: 'The session ends then at the latest, and earlier when it is not refreshed for 30 days.',
    example: '2027-02-18T17:58:40.512Z',
  })
  expires_at: string;

  @AddressField({
    nullable: true,
    description: 'The IP address of the login. `null` for a session of an earlier version of the service.',
  })
  address: string | null;

  @TextField({
    max: 300,
    nullable: true,
    description: 'The `User-Agent` header of the login. `null` when there was none.',
    example: 'curl/8.5.0',
  })
  user_agent: string | null;
}

export class SessionPage extends PageOf(SessionResponse) {}
