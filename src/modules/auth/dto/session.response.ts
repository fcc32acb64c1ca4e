import { ApiSchema } from '@nestjs/swagger';
import { AddressField, BooleanField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

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
