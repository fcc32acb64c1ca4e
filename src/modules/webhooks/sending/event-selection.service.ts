import { Injectable } from '@nestjs/common';
import { type RecordedChange, type Viewer } from '#kernel/audit/change';
import { type RequestContext } from '#kernel/context/request-context';
import { ChangesRepository } from '#infra/audit/changes.repository';
import { type WebhookEntity } from '../endpoints/webhooks.repository';
import { ChainReader } from './chain-reader';
import { passes, restricts } from './event-filter';
import { isVisible, WebhookCreatorsService } from './webhook-creators.service';
import { WebhookSubjects } from './webhook-subjects';

/** The next event to send. */
export interface Selected {
  /** The creator of the webhook, with their present roles. */
  readonly viewer: Viewer;
  readonly change: RecordedChange;
}

/** Selects the events that a webhook wants and its creator may see. */
@Injectable()
export class EventSelectionService {
  constructor(
    private readonly changes: ChangesRepository,
    private readonly creators: WebhookCreatorsService,
    private readonly subjects: WebhookSubjects,
  ) {}

  /** A reader of the events among which `first` selects. */
  readerOf(organizationId: string): ChainReader {
    return new ChainReader(this.changes, organizationId);
  }

  /** The first event to send; null when there is none; `forbidden` when the creator may no longer have the webhook. */
  async first(
    ctx: RequestContext,
    webhook: WebhookEntity,
    changes: readonly RecordedChange[],
  ): Promise<Selected | 'forbidden' | null> {
    const meant = changes.filter((change) => isMeant(webhook, change));
    if (meant.length === 0) return null;
    const viewer = await this.creators.find(ctx, webhook);
    if (!viewer) return 'forbidden';
    const { organizationId, filter } = webhook;
    for (const change of meant) {
      if (!isVisible(webhook, viewer, change)) continue;
      if (!restricts(filter) || passes(filter, await this.subjects.traitsOf(ctx, organizationId, change)))
        return { viewer, change };
    }
    return null;
  }
}

const isMeant = ({ types, projectId }: WebhookEntity, change: RecordedChange): boolean =>
  types.includes(change.type) && (projectId === null || projectId === change.projectId);
