import { ApiSchema } from '@nestjs/swagger';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EXAMPLE } from '#infra/http/dto/example';
import { EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

@ApiSchema({ description: 'The key by which installed apps find updates. It opens nothing but the current build.' })
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
      'The key. Put it into the app: it does not have to be kept secret. `null` for callers who may not download.',
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
