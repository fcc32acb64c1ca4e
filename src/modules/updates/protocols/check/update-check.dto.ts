import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE } from '#infra/http/dto/example';
import { BlankIsAbsent, BooleanField, EnumField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { BuildNumberField, VersionField } from '#infra/http/dto/version-fields';
import { type Relation, RELATIONS } from './relation';

export class UpdateCheckQuery {
  @BlankIsAbsent()
  @TextField({
    max: 128,
    optional: true,
    example: '1.3.2',
    description: 'The version of the installed app: `CFBundleShortVersionString`, `versionName`.',
  })
  version?: string;

  @BlankIsAbsent()
  @TextField({
    max: 128,
    optional: true,
    example: '41',
    description: 'The build number of the installed app: `CFBundleVersion`, `versionCode`.',
  })
  build?: string;

  @BlankIsAbsent()
  @TextField({
    max: 64,
    optional: true,
    example: '17.4',
    description:
      'The version of the system; on Android the API level (`SDK_INT`). A build that needs a newer system is not offered.',
  })
  os_version?: string;

  @BlankIsAbsent()
  @TextField({
    max: 128,
    optional: true,
    example: EXAMPLE.ids.install,
    description:
      'A random id that the installation made for itself. With it, the installation is counted once for the current build when it has its version and build number: `running` of the funnel. Only a keyed digest is stored.',
  })
  install_id?: string;
}

@ApiSchema({ description: 'The build that an update key opens.' })
export class CurrentReleaseResponse {
  @IntegerField({
    min: 1,
    nullable: true,
    example: 7,
    description: 'The number of the release in its channel. `null` for the key of a whole project.',
  })
  sequence: number | null;

  @VersionField()
  version: string;

  @BuildNumberField()
  build_number: string | null;

  @TextField({
    max: 10_000,
    nullable: true,
    example: 'Please try the new login.',
    description: 'The notes of the promotion, else those of the build. `null` when there are none.',
  })
  notes: string | null;

  @IntegerField({ min: 1, description: 'The size of the file, in bytes.', example: EXAMPLE.fileBytes })
  size_bytes: number;

  @TextField({ max: 64, example: EXAMPLE.sha256, description: 'The SHA-256 of the file, in hexadecimal.' })
  sha256: string;

  @TextField({
    max: 64,
    nullable: true,
    example: '15.0',
    description: 'The lowest version of the system that the build runs on. `null` when it is unknown.',
  })
  min_os_version: string | null;

  @IntegerField({
    min: 1,
    nullable: true,
    example: null,
    description:
      'The lowest API level of Android that the build runs on. `null` on other platforms, and when it is unknown.',
  })
  min_sdk: number | null;

  @TimeField({
    example: '2026-11-20T18:05:27.861Z',
    description: 'When the build was promoted or, for the key of a whole project, uploaded.',
  })
  promoted_at: string;
}

@ApiSchema({ description: 'Whether there is an update for an installed app.' })
export class UpdateCheckResponse {
  @BooleanField({
    description:
      'Whether to offer the build: it is newer, devices can install it from its link, and the system of the device is new enough.',
  })
  update_available: boolean;

  @BooleanField({
    example: false,
    description:
      'Whether the app must be updated: there is an update, and it was promoted as mandatory, or the project no longer supports the installed version.',
  })
  mandatory: boolean;

  @EnumField(RELATIONS, {
    nullable: true,
    example: 'newer',
    description:
      'The relation of the build to the installed app; numbers are compared by value. `older` after a rollback: Android does not install it. `null` when the request has nothing to compare.',
  })
  relation: Relation | null;

  @ApiProperty({ description: 'The current build.' })
  release: CurrentReleaseResponse;

  @TextField({
    max: 2000,
    example: `https://install.example.com/updates/${EXAMPLE.updateKey}/install`,
    description: 'The page of the current build, to open in a browser. It ends with the key.',
  })
  install_url: string;

  @TextField({
    max: 2000,
    example: `https://install.example.com/updates/${EXAMPLE.updateKey}/builds/${EXAMPLE.ids.build}/Demo.ipa`,
    description: 'The file. Each download of it is charged.',
  })
  package_url: string;
}
