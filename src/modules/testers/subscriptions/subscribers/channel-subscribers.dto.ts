import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AppError } from '#kernel/errors/app-error';
import { EnumField, IdField, IdSetField, IntegerField } from '#infra/http/dto/fields';
import { SUBSCRIBER_OUTCOMES, type SubscriberOutcome, type SubscribersChange } from './channel-subscribers.service';

const MAX_TESTERS = 1000;

@ApiSchema({ description: 'The subscribers of a channel: the whole set, or changes of it.' })
export class ChangeSubscribersRequest {
  @IdSetField({
    min: 0,
    max: MAX_TESTERS,
    optional: true,
    of: 'tester',
    description: 'The whole set: all other subscribers are unsubscribed. Excludes `add` and `remove`.',
  })
  tester_ids?: string[];

  @IdSetField({ min: 0, max: MAX_TESTERS, optional: true, of: 'tester', description: 'Testers to subscribe.' })
  add?: string[];

  @IdSetField({ min: 0, max: MAX_TESTERS, optional: true, of: 'tester', description: 'Testers to unsubscribe.' })
  remove?: string[];
}

@ApiSchema({ description: 'The outcome for one tester.' })
export class SubscriberOutcomeResponse {
  @IdField({ of: 'tester' })
  id: string;

  @EnumField(SUBSCRIBER_OUTCOMES, { name: 'SubscriberOutcome', description: 'What was done.' })
  outcome: SubscriberOutcome;
}

@ApiSchema({ description: "The outcome of a change of a channel's subscribers." })
export class ChangedSubscribersResponse {
  @IntegerField({ min: 0, example: 1, description: 'The number of testers that were subscribed.' })
  subscribed: number;

  @IntegerField({ min: 0, example: 0, description: 'The number of testers that were unsubscribed.' })
  unsubscribed: number;

  @IntegerField({ min: 0, example: 34, description: 'The number of testers that are subscribed now.' })
  subscribers: number;

  @ApiProperty({
    type: [SubscriberOutcomeResponse],
    description: 'One for each id of the request, in its order: first `add`, then `remove`.',
  })
  testers: SubscriberOutcomeResponse[];
}

/** @throws AppError invalid_input when the parts of the request contradict each other. */
export function toSubscribersChange({
  tester_ids: testerIds,
  add,
  remove,
}: ChangeSubscribersRequest): SubscribersChange {
  if (testerIds === undefined) {
    const removed = new Set(remove);
    if (add?.some((id) => removed.has(id))) throw contradiction('A tester is in add and in remove. Keep one.');
    return { add: add ?? [], remove: remove ?? [] };
  }
  if (add !== undefined || remove !== undefined)
    throw contradiction('tester_ids is the whole set of subscribers. Send it without add and remove.');
  return { testerIds };
}

const contradiction = (message: string): AppError => AppError.invalidInput('contradictory_change', message);
