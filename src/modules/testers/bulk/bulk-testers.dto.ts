import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AppError } from '#kernel/errors/app-error';
import { EnumField, IdField, IdSetField, IntegerField } from '#infra/http/dto/fields';
import { inviteTarget } from '../mails/invite-target';
import { BULK_SKIP_REASONS, type BulkAct, type BulkOutcome, type BulkSkipReason } from './bulk-testers.service';

/** The testers of one request are changed in one transaction, which holds their locks: more would make others of the organization wait. */
const MAX_TESTERS = 100;
const BULK_ACTIONS = ['subscribe', 'unsubscribe', 'invite', 'erase'] as const;

@ApiSchema({ description: 'What is done for each of the testers.' })
export class BulkTestersRequest {
  @EnumField(BULK_ACTIONS, { name: 'BulkTestersAction', description: 'What is done.' })
  action: (typeof BULK_ACTIONS)[number];

  @IdField({
    optional: true,
    of: 'channel',
    description: 'The channel to subscribe to, to unsubscribe from, or that the link of an invitation opens.',
  })
  channel_id?: string;

  @IdField({ optional: true, of: 'build', description: 'The build that the link of an invitation opens.' })
  build_id?: string;

  @IdSetField({ min: 1, max: MAX_TESTERS, of: 'tester', description: 'The testers.' })
  tester_ids: string[];
}

@ApiSchema({ description: 'A tester for whom nothing was done.' })
export class SkippedTesterResponse {
  @IdField({ of: 'tester' })
  tester_id: string;

  @EnumField(BULK_SKIP_REASONS, {
    name: 'BulkSkipReason',
    description:
      '`not_found`: the project has no such tester. `left`: they unsubscribed. `unchanged`: they were not subscribed. `unopened`: they got as many mails as a tester gets before they open a link. `rate_limited`: they got the maximum of links within an hour, or the organization queued all mails of the next days.',
  })
  reason: BulkSkipReason;
}

@ApiSchema({ description: 'The outcome of an act on many testers.' })
export class BulkTestersResponse {
  @IntegerField({ min: 0, example: 28, description: 'The number of testers for whom it was done.' })
  done: number;

  @ApiProperty({ type: [SkippedTesterResponse], description: 'The testers for whom it was not possible.' })
  skipped: SkippedTesterResponse[];
}

/** @throws AppError validation_error without the channel of a subscription; invalid_input for an invitation to a build and a channel. */
export function toBulkAct({ action, channel_id: channelId, build_id: buildId }: BulkTestersRequest): BulkAct {
  if (action === 'erase') return { action };
  if (action === 'invite') return { action, target: inviteTarget(channelId, buildId) };
  if (channelId !== undefined) return { action, channelId };
  throw AppError.validation([{ field: 'channel_id', messages: [`channel_id is required to ${action}`] }]);
}

export const toBulkResponse = ({ done, skipped }: BulkOutcome): BulkTestersResponse => ({
  done,
  skipped: skipped.map(({ testerId, reason }) => ({ tester_id: testerId, reason })),
});
