import { ApiSchema } from '@nestjs/swagger';
import { NOTES_LENGTH } from '#kernel/builds/notes';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { BooleanField, EnumField, IdField, TextField } from '#infra/http/dto/fields';
import { ChannelPageQuery, ChannelQuery, OrganizationPageQuery } from '#infra/http/dto/scope-query';

@ApiSchema({ description: 'A build to promote.' })
export class CreateReleaseRequest {
  @IdField({ description: 'The build to promote.', of: 'build' })
  build_id: string;

  @TextField({
    max: NOTES_LENGTH,
    optional: true,
    nullable: true,
    description: "Notes for testers. When absent, testers see the build's own notes.",
    example: 'Please try the new login.',
  })
  notes?: string | null;

  @BooleanField({
    optional: true,
    description: 'Whether the subscribers of the channel are mailed. Default: `true`.',
  })
  notify?: boolean;

  @BooleanField({
    optional: true,
    example: false,
    description:
      'Whether installed apps that check for updates must install the build. Testers who are mailed are not affected. Default: false.',
  })
  mandatory?: boolean;
}

export class ListReleasesQuery extends ChannelPageQuery {
  @EnumField(PLATFORMS, { optional: true, name: 'Platform', description: 'Lists only releases of this platform.' })
  platform?: Platform;
}

export class ListProjectReleasesQuery extends OrganizationPageQuery {
  @EnumField(PLATFORMS, { optional: true, name: 'Platform', description: 'Lists only releases of this platform.' })
  platform?: Platform;
}

export class RecipientsQuery extends ChannelQuery {
  @IdField({ description: 'The build that would be promoted.', of: 'build' })
  build_id: string;
}
