import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';

@ApiSchema({ description: 'The signature of an artifact. Fields of the other platform are `null`.' })
export class SigningResponse {
  @EnumField(['ios', 'android'], { description: 'The platform whose fields are filled.' })
  platform: 'ios' | 'android';

  @TextField({
    max: 20,
    nullable: true,
    description: 'iOS: development, adhoc, enterprise, appstore, simulator, none, unknown.',
    example: 'adhoc',
  })
  kind: string | null;

  @TextField({
    max: 255,
    nullable: true,
    example: 'Demo Ad Hoc',
    description: 'iOS: the name of the provisioning profile.',
  })
  profile_name: string | null;

  @TextField({
    max: 64,
    nullable: true,
    example: 'A1B2C3D4E5',
    description: 'iOS: the id of the Apple developer team.',
  })
  team_id: string | null;

  @TextField({
    max: 255,
    nullable: true,
    example: 'Example Inc.',
    description: 'iOS: the name of the Apple developer team.',
  })
  team_name: string | null;

  @TimeField({
    nullable: true,
    description: 'iOS: when the profile expires. After that the app does not start.',
    example: '2026-12-02T18:03:00.000Z',
  })
  expires_at: string | null;

  @IntegerField({
    min: 0,
    nullable: true,
    description: 'iOS: number of devices in the profile. Null when the profile has no device list.',
    example: 12,
  })
  device_count: number | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Android: the signature schemes v1, v2, v3, v3.1. Empty when unsigned.',
    example: null,
  })
  schemes: string[] | null;

  @TextField({
    max: 64,
    nullable: true,
    description: 'Android: SHA-256 of the signing certificate.',
    example: null,
  })
  certificate_sha256: string | null;

  @TextField({
    max: 1000,
    nullable: true,
    description: 'Android: the subject of the signing certificate.',
    example: null,
  })
  certificate_subject: string | null;
}
