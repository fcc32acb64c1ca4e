import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE } from '#infra/http/dto/example';
import { BlankIsAbsent, TextField, TimeField } from '#infra/http/dto/fields';
import { VersionField } from '#infra/http/dto/version-fields';
import { type Architecture, ArchitectureField } from '#modules/builds';

export class SquirrelQuery {
  @TextField({ max: 128, example: '1.3.2', description: 'The version of the installed app: `app.getVersion()`.' })
  version: string;

  @BlankIsAbsent()
  @ArchitectureField({
    optional: true,
    description: 'The architecture of the Mac: `process.arch`. Default: the file for the widest use.',
  })
  arch?: Architecture;
}

@ApiSchema({ description: "The current build, for Electron's built-in updater on macOS." })
export class SquirrelUpdateResponse {
  @TextField({
    max: 2000,
    example: `https://install.example.com/updates/${EXAMPLE.updateKey}/builds/${EXAMPLE.ids.build}/Demo.zip`,
    description: 'The file: a zip of the signed app. Each download of it is charged.',
  })
  url: string;

  @VersionField()
  name: string;

  @TextField({ min: 0, max: 10_000, example: 'Please try the new login.', description: 'The notes; may be empty.' })
  notes: string;

  @TimeField({ description: 'When the build was promoted or, for the key of a whole project, uploaded.' })
  pub_date: string;
}

@ApiSchema({ description: 'The current build, for the updater of Tauri 2.' })
export class TauriUpdateResponse {
  @VersionField()
  version: string;

  @TextField({
    max: 2000,
    example: `https://install.example.com/updates/${EXAMPLE.updateKey}/builds/${EXAMPLE.ids.build}/demo.app.tar.gz`,
    description: 'The file. Each download of it is charged.',
  })
  url: string;

  @TextField({
    max: 1024,
    example: 'dW50cnVzdGVkIGNvbW1lbnQ6IHNpZ25hdHVyZQ==',
    description: 'The content of the `.sig` file, as it was stored for the build or sent with the attachment.',
  })
  signature: string;

  @TextField({ min: 0, max: 10_000, example: 'Please try the new login.', description: 'The notes; may be empty.' })
  notes: string;

  @TimeField({ description: 'When the build was promoted or, for the key of a whole project, uploaded.' })
  pub_date: string;
}
