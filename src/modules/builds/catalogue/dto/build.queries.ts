import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EnumField, TextField } from '#infra/http/dto/fields';
import { ProjectPageQuery, ProjectQuery } from '#infra/http/dto/scope-query';

export class ListBuildsQuery extends ProjectPageQuery {
  @EnumField(PLATFORMS, { optional: true, name: 'Platform' })
  platform?: Platform;

  @TextField({ max: 128, optional: true, description: 'Lists only builds of exactly this version.', example: '1.4.0' })
  version?: string;

  @TextField({
    max: 200,
    optional: true,
    description: 'Text found in version, notes, file name, branch or commit.',
    example: 'login',
  })
  q?: string;
}

export class LatestBuildQuery extends ProjectQuery {
  @EnumField(PLATFORMS, { optional: true, name: 'Platform' })
  platform?: Platform;
}
