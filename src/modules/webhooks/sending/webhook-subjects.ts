import { type RecordedChange } from '#kernel/audit/change';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type BuildDownloads, type UncountedTime } from '../downloads/download-counts.repository';
import { type MessageContext } from '../messages';
import { type SentChange, type WebhookScope } from '../webhook';
import { type WebhookActor, type WebhookData } from '../webhook-event';

/** What filters compare. Null when the event has no such property, or when its object was deleted. */
export interface EventTraits {
  /** Whether the event is about a build, a release of one included. */
  readonly isOfBuild: boolean;
  readonly channelId: string | null;
  readonly platform: Platform | null;
  readonly branch: string | null;
}

export interface EventSubjects {
  readonly actor: WebhookActor;
  readonly data: WebhookData;
  readonly context: MessageContext;
}

export interface LinkChoice {
  readonly includeLinks: boolean;
}

/** Reads what events are about, from the ids that the events contain. A read model implements it. */
export abstract class WebhookSubjects {
  abstract traitsOf(ctx: RequestContext, organizationId: string, change: SentChange): Promise<EventTraits>;

  /** @param ctx the context of the developer who may see the objects. */
  abstract read(
    ctx: RequestContext,
    organizationId: string,
    change: SentChange,
    links: LinkChoice,
  ): Promise<EventSubjects>;

  /** The first downloads of the builds of an organization or project by each ticket, after `since` and up to and including `until`. */
  abstract downloads(ctx: RequestContext, scope: WebhookScope, time: UncountedTime): Promise<readonly BuildDownloads[]>;

  /** The newest event of a type in an organization or project; null when there is none. */
  abstract newest(
    ctx: RequestContext,
    organizationId: string,
    projectId: string | null,
    type: string,
  ): Promise<RecordedChange | null>;
}
