import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE } from '#infra/http/dto/example';
import { BooleanField, IntegerField, TextField } from '#infra/http/dto/fields';
import { VersionField } from '#infra/http/dto/version-fields';

const PACKAGE = `https://install.example.com/updates/${EXAMPLE.updateKey}/builds/${EXAMPLE.ids.build}/Demo.apk`;

@ApiSchema({ description: 'The current build, as the SDKs of Visual Studio App Center parse it.' })
export class AppCenterReleaseResponse {
  @IntegerField({ min: 0, example: 7, description: 'The number of the release; for the key of a project, a time.' })
  id: number;

  @ApiProperty({
    oneOf: [{ type: 'integer' }, { type: 'string' }],
    example: 42,
    description: 'The version code of Android, a number, or `CFBundleVersion`, a string.',
  })
  version: number | string;

  @VersionField()
  short_version: string;

  @IntegerField({ min: 1, description: 'The size of the file, in bytes.', example: EXAMPLE.fileBytes })
  size: number;

  @TextField({
    max: 10_000,
    nullable: true,
    example: 'Please try the new login.',
    description: 'The notes of the promotion, else those of the build.',
  })
  release_notes: string | null;

  @TextField({ max: 2000, nullable: true, example: null, description: 'Always `null`.' })
  release_notes_url: string | null;

  @TextField({ max: 64, example: '13.0', description: 'The lowest version of iOS. `1.0` when it is unknown.' })
  min_os: string;

  @IntegerField({ min: 1, example: 24, description: 'The lowest API level of Android. 1 when it is unknown.' })
  android_min_api_level: number;

  @TextField({ max: 3, example: 'apk', description: '`apk` or `ipa`.' })
  fileExtension: string;

  @TextField({ max: 2000, example: PACKAGE, description: 'The file. Each download of it is charged.' })
  download_url: string;

  @TextField({ max: 4000, example: PACKAGE, description: 'On iOS the link that starts the installation.' })
  install_url: string;

  @BooleanField({ description: 'Whether the dialog of the SDK can be closed only by updating.' })
  mandatory_update: boolean;

  @ApiProperty({ type: [String], example: [EXAMPLE.sha256], description: 'Hashes of the installed app, for the SDK.' })
  package_hashes: string[];

  @TextField({ max: 36, example: EXAMPLE.ids.channel, description: 'The channel or, without one, the project.' })
  distribution_group_id: string;

  @TextField({ max: 9, example: 'available', description: 'Always `available`.' })
  status: string;
}
