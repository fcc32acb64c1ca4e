import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  type AndroidScheme,
  SIGNATURE_PROBLEMS,
  type SignatureProblemCode,
} from '#infra/artifact-inspection/inspected-artifact';
import { BooleanField, EnumField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { REGISTRATION_STATES, type RegistrationState } from '../../registrations/registration';

@ApiSchema({ description: 'A capability that a provisioning profile grants.' })
export class EntitlementResponse {
  @TextField({ max: 200, example: 'aps-environment', description: 'The name of the entitlement.' })
  key: string;

  @ApiProperty({
    type: [String],
    example: ['production'],
    description: 'Its values, at most 10. A flag has the value `true` or `false`.',
  })
  values: string[];
}

@ApiSchema({ description: 'Why a signature is not valid, or was not checked.' })
export class SigningProblemResponse {
  @EnumField(['v1', 'v2', 'v3', 'v3.1'], { description: 'The signature scheme.', example: 'v2' })
  scheme: AndroidScheme;

  @EnumField(SIGNATURE_PROBLEMS, {
    description:
      'What was found. `content_changed`: the file does not match its signature. `missing`: a signature that some devices require. `algorithm_not_checked` and `too_large_to_check` say that the scheme was not checked. New ones may be added.',
    example: 'content_changed',
  })
  code: SignatureProblemCode;
}

@ApiSchema({ description: 'Whether a package is registered to a verified developer of Android.' })
export class RegistrationResponse {
  @EnumField(REGISTRATION_STATES, {
    description:
      '`registered`: with this certificate. `other_certificate`: with other certificates only. `unknown`: Google gives no answer. New ones may be added.',
    example: 'registered',
  })
  state: RegistrationState;

  @TimeField({ description: 'When this state was found.' })
  since: string;
}

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
    type: [EntitlementResponse],
    nullable: true,
    description:
      'iOS: the capabilities that the provisioning profile grants, sorted by key. `null` on Android, in lists, and when they were not recorded.',
  })
  entitlements: EntitlementResponse[] | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['00008101-000A1C3E0E88001E'],
    description:
      'iOS: the ids (UDIDs) of the devices in the profile, at most 1000. `null` when the profile has no device list, for callers without `MANAGE_TESTERS`, in lists, and when they were not recorded.',
  })
  devices: string[] | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['info_plist', 'code_resources', 'entitlements', 'signer', 'certificate', 'files'],
    description:
      'iOS: what was compared with the code signature of the app. `info_plist`, `code_resources`, `entitlements`: these files are the signed ones. `signer`: the certificate signed the app. `certificate`: it was searched in the profile. `files`: the names of all files were compared with the signed list, and the contents of those that were read. All else was not checked, such as the pages of the code. What does not match is a warning. `null` on Android, and for builds that were uploaded before it was checked. New ones may be added.',
  })
  checks: string[] | null;

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
    description:
      'SHA-256 of the signing certificate. Android: of the newest scheme that was verified, else of the newest one; see `certificate_verified`. iOS: `null` when the signature was not checked.',
    example: null,
  })
  certificate_sha256: string | null;

  @TextField({
    max: 1000,
    nullable: true,
    description: 'The subject of the signing certificate. See `certificate_verified`.',
    example: null,
  })
  certificate_subject: string | null;

  @BooleanField({
    nullable: true,
    example: null,
    description:
      'Whether the owner of the certificate signed the file. `false` when no scheme was verified: then the file only claims to be signed with this certificate. `null` without a certificate.',
  })
  certificate_verified: boolean | null;

  @BooleanField({
    nullable: true,
    example: null,
    description:
      'Android: whether devices of all API levels of the app accept its signatures. They are checked with the contents at the upload, as `apksigner verify` does. `false` has a `problem`. `null` when the app is not signed, or when a scheme that some devices use was not checked: app bundles, packages that are too large to check, and builds that were uploaded before signatures were checked.',
  })
  verified: boolean | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: null,
    description:
      'Android: the schemes that were verified. Schemes that no device of the API levels of the app uses are not checked.',
  })
  verified_schemes: string[] | null;

  @ApiProperty({
    type: SigningProblemResponse,
    nullable: true,
    description: 'Android: why the signature is not valid, or was not checked. `null` when nothing was found.',
  })
  problem: SigningProblemResponse | null;

  @ApiProperty({
    type: RegistrationResponse,
    nullable: true,
    example: null,
    description:
      'Android: whether the package is registered to a verified developer, which Android requires in some countries. `null` when the operator of the service did not switch the check on, before it, and for app bundles and debug certificates.',
  })
  registration: RegistrationResponse | null;
}
