import { ApiSchema } from '@nestjs/swagger';
import { NOTES_LENGTH } from '#kernel/builds/notes';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EXAMPLE } from '#infra/http/dto/example';
import { BooleanField, BooleanQueryField, EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { ProjectPageQuery, ProjectQuery } from '#infra/http/dto/scope-query';

@ApiSchema({ description: 'Changes of a build. Absent fields stay as they are.' })
export class UpdateBuildRequest {
  @TextField({
    max: NOTES_LENGTH,
    lines: true,
    optional: true,
    nullable: true,
    example: 'Fixes the login on small screens.',
    description: 'What to test. Testers see it on the install page. `null` removes it.',
  })
  notes?: string | null;

  @BooleanField({
    optional: true,
    description: '`true` keeps the build: neither retention nor `POST /builds/delete` deletes it.',
  })
  pinned?: boolean;
}

export class ListBuildsQuery extends ProjectPageQuery {
  @EnumField(PLATFORMS, { optional: true, name: 'Platform', description: 'Lists only builds of this platform.' })
  platform?: Platform;

  @TextField({ max: 128, optional: true, description: 'Lists only builds of exactly this version.', example: '1.4.0' })
  version?: string;

  @TextField({
    max: 200,
    optional: true,
    description:
      'Text found in version, notes, file name, branch or commit. Pages may then have fewer builds than `limit`, also none: follow `next_cursor` until it is `null`.',
    example: 'main',
  })
  q?: string;

  @TextField({ max: 255, optional: true, description: 'Lists only builds of exactly this branch.', example: 'main' })
  branch?: string;

  @TextField({
    max: 64,
    optional: true,
    description: 'Lists only builds of this commit. The beginning of a commit is enough; upper and lower case differ.',
    example: EXAMPLE.commit,
  })
  commit?: string;

  @TextField({
    max: 64,
    optional: true,
    pattern: /^[0-9a-fA-F]{64}$/,
    description: 'Lists only builds whose file has this SHA-256, in hexadecimal.',
    example: EXAMPLE.sha256,
  })
  sha256?: string;

  @IdField({
    optional: true,
    of: 'project access token',
    description:
      'Lists only builds that this developer or project access token uploaded. Pages may then have fewer builds than `limit`, also none: follow `next_cursor` until it is `null`.',
  })
  uploaded_by?: string;

  @TimeField({
    optional: true,
    description: 'Lists only builds that were uploaded at this time or later.',
    example: '2026-11-01T00:00:00.000Z',
  })
  from?: string;

  @TimeField({
    optional: true,
    description: 'Lists only builds that were uploaded before this time.',
    example: '2026-12-01T00:00:00.000Z',
  })
  to?: string;

  @IdField({ optional: true, of: 'channel', description: 'Lists only builds that were promoted to this channel.' })
  channel_id?: string;

  @TextField({
    max: 64,
    optional: true,
    description:
      'Lists only builds with a warning of this code. Pages may then have fewer builds than `limit`, also none: follow `next_cursor` until it is `null`.',
    example: 'profile_expires_soon',
  })
  warning?: string;

  @BooleanQueryField({
    optional: true,
    description:
      '`true` lists only builds that a device can install from their link now, `false` only the others. Pages may then have fewer builds than `limit`, also none: follow `next_cursor` until it is `null`.',
  })
  installable?: boolean;

  @BooleanQueryField({
    optional: true,
    description:
      '`true` lists only builds with warnings, `false` only builds without. Pages may then have fewer builds than `limit`, also none: follow `next_cursor` until it is `null`.',
  })
  has_warnings?: boolean;

  @BooleanQueryField({
    optional: true,
    description: '`true` lists the builds in the trash instead of the others.',
  })
  deleted?: boolean;
}

export class LatestBuildQuery extends ProjectQuery {
  @EnumField(PLATFORMS, {
    optional: true,
    name: 'Platform',
    description: 'Only builds of this platform. Default: of any.',
  })
  platform?: Platform;

  @TextField({ max: 128, optional: true, description: 'Only builds of exactly this version.', example: '1.4.0' })
  version?: string;

  @TextField({ max: 255, optional: true, description: 'Only builds of exactly this branch.', example: 'main' })
  branch?: string;

  @TextField({
    max: 64,
    optional: true,
    description: 'Only builds of this commit. The beginning of a commit is enough; upper and lower case differ.',
    example: EXAMPLE.commit,
  })
  commit?: string;

  @IdField({
    optional: true,
    of: 'channel',
    description:
      'Only the build that is current in this channel: what its testers get. It is not always the newest. If several platforms have one and `platform` is absent, the one that was promoted last.',
  })
  channel_id?: string;
}
