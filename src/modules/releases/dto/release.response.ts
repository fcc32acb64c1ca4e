import { ApiProperty } from '@nestjs/swagger';
import { NOTES_LENGTH } from '#kernel/builds/notes';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { ReleaseBuildResponse } from './release-build.response';

export class PromotedByResponse {
  @TextField({ max: 40, example: 'developer', description: '`developer` or `project_access_token`.' })
  kind: string;

  @IdField({ nullable: true })
  id: string | null;
}

export class ReleaseResponse {
  @IdField()
  id: string;

  @IdField()
  organization_id: string;

  @IdField()
  project_id: string;

  @IdField()
  channel_id: string;

  @IdField()
  build_id: string;

  @EnumField(PLATFORMS, { name: 'Platform' })
  platform: Platform;

  @IntegerField({ min: 1, description: '1 for the first of the channel; no number is used twice.', example: 7 })
  sequence: number;

  @BooleanField({ description: 'Whether it is the newest of its platform in the channel.' })
  current: boolean;

  @TextField({ max: NOTES_LENGTH, nullable: true, example: 'Please try the new login.' })
  notes: string | null;

  @TimeField()
  promoted_at: string;

  @ApiProperty()
  promoted_by: PromotedByResponse;

  @ApiProperty()
  build: ReleaseBuildResponse;
}

export class ReleasePage extends PageOf(ReleaseResponse) {}
