import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { DevelopersService } from '#modules/developers';
import { type RecordedEvent } from './recorded-event';

type Actor = Pick<RecordedEvent, 'actorKind' | 'actorId' | 'actorLabel'>;

/** The label of a developer after the deletion of their account. */
const ERASED = 'erased';

/** Labels the actors of events. */
@Injectable()
export class ActorLabelsService {
  constructor(private readonly developers: DevelopersService) {}

  /** The feed holds only the id of a developer. The current e-mail address is looked up, so it disappears with the account. */
  async of<T extends Actor>(ctx: RequestContext, actors: readonly T[]): Promise<T[]> {
    const ids = new Set(actors.flatMap((actor) => (actor.actorKind === 'developer' ? [actor.actorId ?? ''] : [])));
    const developers = await this.developers.findMany(ctx, [...ids]);
    return actors.map((actor) =>
      actor.actorKind === 'developer'
        ? { ...actor, actorLabel: developers.get(actor.actorId ?? '')?.email ?? ERASED }
        : actor,
    );
  }
}
