import { ApiSchema } from '@nestjs/swagger';
import { PAT_SCOPES, type PatScope } from '#kernel/access/roles';
import {
  AddressField,
  EnumField,
  EnumSetField,
  IdField,
  IntegerField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { DEVICE_LOGIN_MINUTES, type DeviceLogin, POLL_SECONDS, type StartedDeviceLogin } from './device-login';
import { USER_CODE_PATTERN } from './user-code';

const HostField = (description: string): PropertyDecorator =>
  TextField({ max: 80, example: 'anns-laptop', description });

@ApiSchema({ description: 'The request of a program, for the developer who confirms it.' })
export class StartDeviceLoginRequest {
  @HostField(
    'The name of the machine, by which the developer recognizes it. The token is called `agate on` and this name.',
  )
  host: string;

  @EnumSetField(PAT_SCOPES, {
    description: 'The scopes of the personal access token.',
    example: ['builds:read', 'builds:upload'],
  })
  scopes: PatScope[];
}

@ApiSchema({ description: 'The codes of a login of a program (RFC 8628, section 3.2).' })
export class StartedDeviceLoginResponse {
  @TextField({
    max: 43,
    description: 'The secret with which the program requests its token. Never show it.',
    example: 'Nf3m0bQ1p9wXk2Yv7sTzR4cLh8uJ6eDgA5iOq-_KxWM',
  })
  device_code: string;

  @TextField({
    max: 9,
    description: 'The code that the person enters in the browser, or compares there.',
    example: 'WDJB-MJHT',
  })
  user_code: string;

  @TextField({
    max: 2048,
    description: 'The page on which a developer enters the code.',
    example: 'https://agate.example.com/device',
  })
  verification_uri: string;

  @TextField({
    max: 2048,
    description: 'The page with the code filled in, to open it directly or show it as a QR code.',
    example: 'https://agate.example.com/device?code=WDJB-MJHT',
  })
  verification_uri_complete: string;

  @IntegerField({
    min: 1,
    description: 'The seconds to wait before each request for the token.',
    example: 5,
  })
  interval: number;

  @IntegerField({ min: 1, description: 'The seconds until the codes expire.', example: 600 })
  expires_in: number;
}

@ApiSchema({ description: 'The device code of a login that was started.' })
export class DeviceCodeRequest {
  @TextField({
    max: 100,
    description: 'The `device_code` of the start.',
    example: 'Nf3m0bQ1p9wXk2Yv7sTzR4cLh8uJ6eDgA5iOq-_KxWM',
  })
  device_code: string;
}

const UserCodeField = (): PropertyDecorator =>
  TextField({
    max: 40,
    pattern: USER_CODE_PATTERN,
    description: 'The code that the program shows. Case, spaces and hyphens do not matter.',
    example: 'WDJB-MJHT',
  });

export class UserCodeQuery {
  @UserCodeField()
  user_code: string;
}

@ApiSchema({ description: 'The code of a login that was started.' })
export class UserCodeRequest {
  @UserCodeField()
  user_code: string;
}

const STATES = ['pending', 'confirmed', 'denied'] as const;

@ApiSchema({ description: 'A login of a program, as shown to the developer who enters its code.' })
export class DeviceLoginResponse {
  @EnumField(STATES, { description: 'Whether you have decided, and how.' })
  state: (typeof STATES)[number];

  @HostField('The name of the machine, as the program gives it. It proves nothing.')
  host: string;

  @EnumSetField(PAT_SCOPES, {
    description: 'The scopes that the token will have.',
    example: ['builds:read', 'builds:upload'],
  })
  scopes: PatScope[];

  @AddressField({
    nullable: true,
    description: 'The IP address from which the program started the login.',
  })
  address: string | null;

  @IdField({
    of: 'organization',
    nullable: true,
    description: 'The organization of the token. `null` unless you confirmed.',
  })
  organization_id: string | null;

  @TimeField({ description: 'When the program started the login.', example: '2026-11-20T17:58:40.512Z' })
  started_at: string;

  @TimeField({ description: 'When the code expires.', example: '2026-11-20T18:08:40.512Z' })
  expires_at: string;
}

/** @param page the address of the page on which a developer enters the code. */
export const toStartedDeviceLoginResponse = (
  { deviceCode, userCode }: StartedDeviceLogin,
  page: string,
): StartedDeviceLoginResponse => ({
  device_code: deviceCode,
  user_code: userCode,
  verification_uri: page,
  verification_uri_complete: `${page}?code=${userCode}`,
  interval: POLL_SECONDS,
  expires_in: DEVICE_LOGIN_MINUTES * 60,
});

export const toDeviceLoginResponse = (login: DeviceLogin): DeviceLoginResponse => ({
  state: login.decision ?? 'pending',
  host: login.host,
  scopes: [...login.scopes],
  address: login.address,
  organization_id: login.organizationId,
  started_at: login.createdAt.toISOString(),
  expires_at: login.expiresAt.toISOString(),
});
