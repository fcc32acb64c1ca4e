import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumField, IdField, IdSetField, IntegerField } from '#infra/http/dto/fields';
import { BuildChannelResponse } from '../dto/build-parts.response';
import { BUILD_DELETION_OUTCOMES, type BuildDeletion, type BuildDeletionOutcome } from './build-deletion';

const MAX_BUILDS = 100;

@ApiSchema({ description: 'Builds to delete.' })
export class DeleteBuildsRequest {
  @IdSetField({ min: 1, max: MAX_BUILDS, of: 'build', description: 'The ids of the builds, each once.' })
  ids: string[];
}

@ApiSchema({ description: 'What was done with one build.' })
export class BuildDeletionResponse {
  @IdField({ of: 'build' })
  id: string;

  @EnumField(BUILD_DELETION_OUTCOMES, { name: 'BuildDeletionOutcome', description: 'What was done.' })
  outcome: BuildDeletionOutcome;

  @ApiProperty({
    type: [BuildChannelResponse],
    description: 'The channels whose current release keeps the build. Empty for other outcomes.',
  })
  channels: BuildChannelResponse[];
}

@ApiSchema({ description: 'What was done with all builds.' })
export class BuildDeletionsResponse {
  @IntegerField({ min: 0, example: 1, description: 'The number of deleted builds.' })
  deleted: number;

  @ApiProperty({ type: [BuildDeletionResponse], description: 'One for each id, in the order of the ids.' })
  builds: BuildDeletionResponse[];
}

export const toBuildDeletionsResponse = (deletions: readonly BuildDeletion[]): BuildDeletionsResponse => ({
  deleted: deletions.filter(({ outcome }) => outcome === 'deleted').length,
  builds: deletions.map(({ buildId, outcome, channels }) => ({
    id: buildId,
    outcome,
    channels: channels.map(({ id, name, current }) => ({ id, name, current })),
  })),
});
