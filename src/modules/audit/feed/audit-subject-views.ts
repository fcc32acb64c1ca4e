import { type RequestContext } from '#kernel/context/request-context';
import { type RecordedEvent } from './recorded-event';

/** The names of what events are about. The feed holds ids only, so that a name disappears with its object. */
export abstract class AuditSubjectViews {
  /**
   * The names by id of the testers, tokens, members and invited people that the payloads name, as far as the caller may know them. An
   * accepted invitation has the name of the member.
   */
  abstract labelsOf(
    ctx: RequestContext,
    organizationId: string,
    events: readonly Pick<RecordedEvent, 'payload' | 'time'>[],
  ): Promise<ReadonlyMap<string, string>>;
}

/** The fields of payloads that name the object of an event, the most special one first. */
const SUBJECTS = ['tester_id', 'token_id', 'invitation_id', 'developer_id'];

/** The ids that a payload names, the object of the event first. */
export const subjectIdsOf = ({ payload }: Pick<RecordedEvent, 'payload'>): readonly string[] =>
  SUBJECTS.flatMap((field) => {
    const id = payload[field];
    return typeof id === 'string' ? [id] : [];
  });
