import { ApiSchema } from '@nestjs/swagger';
import { NOTES_LENGTH } from '#kernel/builds/notes';
import { EnumField, TextField } from '#infra/http/dto/fields';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { ProjectPageQuery, ProjectQuery } from '#infra/http/dto/scope-query';

@ApiSchema({ description: 'Changes of a build. Absent fields stay as they are.' })
export class UpdateBuildRequest {
  @TextField({
    max: NOTES_LENGTH,
    optional: true,
    nullable: true,
    example: 'Fixes the login on small screens.',
    description: 'What to test. Testers see it on the install page. `null` removes it.',
  })
  notes?: string | null;
}

export class ListBuildsQuery extends ProjectPageQuery {
  @EnumField(PLATFORMS, { optional: true, name: 'Platform', description: 'Lists only builds of this platform.' })
  platform?: Platform;

  @TextField({ max: 128, optional: true, description: 'Lists only builds of exactly this version.', example: '1.4.0' })
  version?: string;

  @TextField({
    max: 200,
    optional: true,
    description: 'Text found in version, notes, file name, branch or commit.',
    example: 'main',
  })
  q?: string;
}

export class LatestBuildQuery extends ProjectQuery {
  @EnumField(PLATFORMS, {
    optional: true,
    name: 'Platform',
    description: 'Only builds of this platform. Default: of any.',
  })
  platform?: Platform;
}
