import { Injectable } from '@nestjs/common';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { requireRoom } from '#kernel/quota';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Sealer } from '#infra/crypto/sealer';
import { Transactions } from '#infra/database/transactions';
import { DevelopersService, labelOf } from '#modules/developers';
import { DownloadCountsRepository } from '../downloads/download-counts.repository';
import { newWebhookSecret } from '../sending/signature';
import { WebhookCreatorsService } from '../sending/webhook-creators.service';
import { MAX_WEBHOOKS, secretContext, urlContext, type WebhookScope, type WebhookSettings } from '../webhook';
import { WebhookAccessService } from './webhook-access.service';
import { WebhookHosts } from './webhook-hosts';
import { type WebhookRow, WebhooksRepository } from './webhooks.repository';

/** A webhook with the name of its creator. */
export type LabelledWebhook = WebhookRow & { readonly createdByLabel: string | null };
export type NewWebhook = LabelledWebhook & { readonly secret: string };

/** Absent fields stay as they are. `paused` turns the webhook off. */
export type SettingsChange = Partial<WebhookSettings> & { readonly paused?: boolean };

@Injectable()
export class WebhooksService {
  constructor(
    private readonly repository: WebhooksRepository,
    private readonly counts: DownloadCountsRepository,
    private readonly access: WebhookAccessService,
    private readonly creators: WebhookCreatorsService,
    private readonly hosts: WebhookHosts,
    private readonly developers: DevelopersService,
    private readonly sealer: Sealer,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** The webhooks of a project; without one, all of the organization. */
  async list(ctx: RequestContext, scope: WebhookScope, request: PageRequest): Promise<Page<LabelledWebhook>> {
    await this.access.require(ctx, scope);
    const page = await this.repository.list(ctx, scope, request);
    return { ...page, items: await this.labelled(ctx, page.items) };
  }

  async get(ctx: RequestContext, organizationId: string, id: string): Promise<LabelledWebhook> {
    const [webhook] = await this.labelled(ctx, [await this.access.get(ctx, organizationId, id)]);
    return webhook as LabelledWebhook;
  }

  /**
   * Creates a webhook that sends the events after this one. Only the result contains its secret.
   * @throws AppError quota_exceeded; operation_not_allowed when the address is not allowed.
   */
  async create(ctx: RequestContext, scope: WebhookScope, settings: WebhookSettings): Promise<NewWebhook> {
    const url = this.hosts.require(settings.url);
    const secret = newWebhookSecret();
    return this.transactions.run(ctx, async (tx) => {
      await this.access.require(tx, scope);
      const used = await this.repository.lockAndCount(tx, scope.organizationId);
      const quota = { name: 'webhooks_per_organization', limit: MAX_WEBHOOKS };
      requireRoom(quota, used, `The organization has ${MAX_WEBHOOKS} webhooks, which is the limit. Delete one first.`);
      const id = newId();
      const { url: _, ...chosen } = settings;
      await this.repository.insert(tx, {
        ...UNSENT,
        ...scope,
        ...chosen,
        ...this.sealedUrl(id, url),
        id,
        types: [...settings.types],
        secretSealed: this.sealer.seal(Buffer.from(secret), secretContext(id)),
        cursor: await this.repository.head(tx, scope.organizationId),
        nextAt: tx.clock.now(),
        createdBy: developerOf(tx).developerId,
        createdAt: tx.clock.now(),
      });
      await this.counts.follow(tx, id);
      const payload = { webhook_id: id, name: settings.name, format: settings.format, types: settings.types };
      await this.audit.record(tx, { type: 'webhook.created', ...scope, payload });
      return { ...(await this.get(tx, scope.organizationId, id)), secret };
    });
  }

  /**
   * Changes a webhook. What makes it send more, or elsewhere, needs a login, as its creation does. A caller who changes the address becomes
   * responsible for the webhook: otherwise it would send to their address, by the roles of its creator, after they lost their own.
   * @throws AppError not_found; operation_not_allowed when the address is not allowed; interactive_login_required
   */
  async update(
    ctx: RequestContext,
    organizationId: string,
    id: string,
    { paused, url, ...settings }: SettingsChange,
  ): Promise<LabelledWebhook> {
    if ((url !== undefined || settings.includeLinks) && developerOf(ctx).kind !== 'jwt')
      throw new AppError('interactive_login_required', { message: NEEDS_LOGIN });
    const address = url === undefined ? null : this.hosts.require(url);
    return this.transactions.run(ctx, async (tx) => {
      const webhook = await this.access.get(tx, organizationId, id);
      const { types, ...others } = settings;
      const moved = address && { ...this.sealedUrl(id, address), createdBy: developerOf(tx).developerId };
      const change = { ...others, ...(types && { types: [...types] }), ...moved };
      const fields = [...Object.keys(settings), ...(address ? ['url'] : [])];
      await this.repository.update(tx, id, change);
      if (types) await this.counts.follow(tx, id);
      if (address) await this.repository.retryNow(tx, id);
      const isPaused = paused === true && (await this.repository.turnOff(tx, id, 'paused'));
      if (fields.length > 0 || isPaused) {
        const { projectId, name } = webhook;
        const changed = [...fields, ...(isPaused ? ['state'] : [])];
        const payload = { webhook_id: id, name: settings.name ?? name, fields: changed };
        await this.audit.record(tx, { type: 'webhook.updated', organizationId, projectId, payload });
      }
      return this.get(tx, organizationId, id);
    });
  }

  /** @throws AppError not_found */
  async delete(ctx: RequestContext, organizationId: string, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const { projectId, name } = await this.access.get(tx, organizationId, id);
      if (!(await this.repository.delete(tx, organizationId, id))) throw AppError.notFound('webhook');
      const payload = { webhook_id: id, name };
      await this.audit.record(tx, { type: 'webhook.deleted', organizationId, projectId, payload });
    });
  }

  /** Replaces the secret. The previous one signs, too, for 24 hours. @throws AppError not_found */
  async rotateSecret(ctx: RequestContext, organizationId: string, id: string): Promise<NewWebhook> {
    const secret = newWebhookSecret();
    return this.transactions.run(ctx, async (tx) => {
      const { projectId, name } = await this.access.get(tx, organizationId, id);
      await this.repository.rotate(tx, id, this.sealer.seal(Buffer.from(secret), secretContext(id)));
      const payload = { webhook_id: id, name };
      await this.audit.record(tx, { type: 'webhook.secret_rotated', organizationId, projectId, payload });
      return { ...(await this.get(tx, organizationId, id)), secret };
    });
  }

  /**
   * Turns a webhook on, or makes one that waits after failures continue now. When its creator may no longer have it, the caller becomes
   * responsible for it, which needs a login, as the creation does.
   * @param from `now` passes over the events since it stopped. @throws AppError not_found; interactive_login_required
   */
  async resume(
    ctx: RequestContext,
    organizationId: string,
    id: string,
    from: 'now' | 'where_it_stopped',
  ): Promise<LabelledWebhook> {
    return this.transactions.run(ctx, async (tx) => {
      const webhook = await this.access.get(tx, organizationId, id);
      const isAdopted = (await this.creators.find(tx, webhook)) === null;
      if (isAdopted && developerOf(tx).kind !== 'jwt')
        throw new AppError('interactive_login_required', { message: TAKING_OVER_NEEDS_LOGIN });
      if (isAdopted) await this.repository.update(tx, id, { createdBy: developerOf(tx).developerId });
      const cursor = from === 'now' ? await this.repository.head(tx, organizationId) : null;
      await this.repository.resume(tx, id, cursor);
      if (from === 'now') await this.passToNow(tx, id);
      const { projectId, name } = webhook;
      const payload = { webhook_id: id, name, from, adopted: isAdopted };
      await this.audit.record(tx, { type: 'webhook.resumed', organizationId, projectId, payload });
      return this.get(tx, organizationId, id);
    });
  }

  private async passToNow(tx: RequestContext, id: string): Promise<void> {
    await this.repository.giveUpDeliveries(tx, id);
    await this.counts.passToNow(tx, id);
  }

  private sealedUrl(id: string, url: URL): Pick<WebhookRow, 'urlSealed' | 'host'> {
    return { urlSealed: this.sealer.seal(Buffer.from(url.href), urlContext(id)), host: url.host };
  }

  private async labelled(ctx: RequestContext, webhooks: readonly WebhookRow[]): Promise<LabelledWebhook[]> {
    const ids = new Set(webhooks.flatMap(({ createdBy }) => createdBy ?? []));
    const developers = await this.developers.findMany(ctx, [...ids]);
    return webhooks.map((webhook) => ({
      ...webhook,
      createdByLabel: labelOf(developers.get(webhook.createdBy ?? '')),
    }));
  }
}

const NEEDS_LOGIN = 'A new address, and install links, require an interactive login. Send an access JWT.';

const TAKING_OVER_NEEDS_LOGIN =
  'The creator of the webhook may no longer have it. Taking it over requires an interactive login. Send an access JWT.';

const UNSENT = {
  oldSecretSealed: null,
  oldSecretUntil: null,
  state: 'on',
  offReason: null,
  failingSince: null,
  isQuick: false,
  attempt: 0,
  sender: null,
  sendingUntil: null,
  lastStatus: null,
  lastError: null,
  lastAt: null,
  downloadsCursor: null,
  downloadsNextAt: null,
} as const;
