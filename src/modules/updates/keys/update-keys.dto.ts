import { ApiSchema } from '@nestjs/swagger';
import { maySeeInstallLinks } from '#kernel/access/policy';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { EXAMPLE } from '#infra/http/dto/example';
import { EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { ProjectPageQuery, ProjectQuery } from '#infra/http/dto/scope-query';
import { type UpdateKey } from './update-keys.service';

@ApiSchema({ description: 'A new update key.' })
export class CreateUpdateKeyRequest {
  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform of the apps that will contain the key.' })
  platform: Platform;
}

export class CreateUpdateKeyQuery extends ProjectQuery {
  @IdField({
    of: 'channel',
    optional: true,
    description: 'The channel whose current release the key opens. When absent: the newest build of the project.',
  })
  channel_id?: string;
}

export class ListUpdateKeysQuery extends ProjectPageQuery {
  @IdField({ of: 'channel', optional: true, description: 'Lists only keys of this channel.' })
  channel_id?: string;
}

@ApiSchema({ description: 'The key by which installed apps find updates. It gives access to the current build only.' })
export class UpdateKeyResponse {
  @IdField({ of: 'update key' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @IdField({ of: 'project', description: 'The project whose builds the key opens.' })
  project_id: string;

  @IdField({
    of: 'channel',
    nullable: true,
    description: 'The channel whose current release the key opens. `null`: the newest build of the project.',
  })
  channel_id: string | null;

  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform of the apps that contain the key.' })
  platform: Platform;

  @TextField({
    max: 60,
    nullable: true,
    example: EXAMPLE.updateKey,
    description:
      'The key. Put it into the app: it does not have to be kept secret. `null` for callers who may not download, and when the service cannot decrypt it: rotate it then.',
  })
  key: string | null;

  @TextField({
    max: 2000,
    nullable: true,
    example: `https://install.example.com/updates/${EXAMPLE.updateKey}`,
    description:
      'The address that the app requests. The feeds of desktop frameworks are below it. `null` for callers who may not download.',
  })
  url: string | null;

  @TimeField({ example: '2026-11-03T10:07:41.006Z', description: 'When the key was created.' })
  created_at: string;

  @TimeField({ nullable: true, description: 'When the key got a new value. `null` when it never did.' })
  rotated_at: string | null;

  @TimeField({
    nullable: true,
    description: 'When an app last used the key, exact to a day. `null` when none did.',
  })
  last_used_at: string | null;
}

export class UpdateKeyPage extends PageOf(UpdateKeyResponse) {}

/** @param urlOf the address that apps with a key request. */
export function toUpdateKeyResponse(
  ctx: RequestContext,
  key: UpdateKey,
  urlOf: (token: string) => string,
): UpdateKeyResponse {
  const visible = maySeeInstallLinks(ctx);
  return {
    id: key.id,
    organization_id: key.organizationId,
    project_id: key.projectId,
    channel_id: key.channelId,
    platform: key.platform,
    key: visible ? key.token : null,
    url: visible ? key.token && urlOf(key.token) : null,
    created_at: key.createdAt.toISOString(),
    rotated_at: key.rotatedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
