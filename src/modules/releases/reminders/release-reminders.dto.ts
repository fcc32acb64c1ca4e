import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumField, IdField, IdSetField, IntegerField } from '#infra/http/dto/fields';
import { ProjectQuery } from '#infra/http/dto/scope-query';
import { MAX_SKIPPED, type Reminders, SKIP_REASONS, type SkipReason } from './release-reminders.service';

const MAX_TESTERS = 1000;

export class RemindQuery extends ProjectQuery {
  @IdField({ optional: true, of: 'channel', description: 'The channel of the release. Absent: any.' })
  channel_id?: string;
}

@ApiSchema({ description: 'The testers to remind.' })
export class RemindRequest {
  @IdSetField({
    min: 1,
    max: MAX_TESTERS,
    optional: true,
    of: 'tester',
    description: 'The testers to remind. Absent: all testers of the audience who lack the build.',
  })
  tester_ids?: string[];
}

@ApiSchema({ description: 'A tester who is not reminded.' })
export class SkippedReminderResponse {
  @IdField({ of: 'tester' })
  tester_id: string;

  @EnumField(SKIP_REASONS, {
    name: 'ReminderSkipReason',
    example: 'reminded_recently',
    description:
      '`has_it`: they have the build. `has_newer`: they have a newer build. `bounced`: their address is invalid. `left`: they unsubscribed. `reminded_recently`: within the last 24 hours. `not_in_audience`: the release does not concern them. `unopened`: they got as many mails as a tester gets before they open a link.',
  })
  reason: SkipReason;
}

@ApiSchema({ description: 'The outcome of a reminder.' })
export class RemindersResponse {
  @IntegerField({ min: 0, example: 4, description: 'The number of testers who are reminded.' })
  queued: number;

  @ApiProperty({
    type: [SkippedReminderResponse],
    description: `The testers who are not reminded, at most ${MAX_SKIPPED}. Without \`tester_ids\`: of those who lack the build.`,
  })
  skipped: SkippedReminderResponse[];
}

export const toRemindersResponse = ({ queued, skipped }: Reminders): RemindersResponse => ({
  queued,
  skipped: skipped.map(({ testerId, reason }) => ({ tester_id: testerId, reason })),
});
