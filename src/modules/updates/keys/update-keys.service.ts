import { Injectable, type OnModuleInit } from '@nestjs/common';
import { digestOf, newToken } from '#kernel/access/token-format';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { ListedSecrets } from '#infra/crypto/listed-secrets';
import { SealedColumns } from '#infra/crypto/sealed-columns';
import { Sealer } from '#infra/crypto/sealer';
import { Transactions } from '#infra/database/transactions';
import { DownloadTicketsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { type UpdateKeyEntity, UpdateKeysRepository } from './update-keys.repository';

/** The object that an update key opens. */
interface UpdateTarget {
  readonly platform: Platform;
  /** The channel whose current release it opens. Null: the newest build of the project. */
  readonly channelId: string | null;
}

/** The key by which the installed apps of a channel and platform find updates. It opens nothing but the current build. */
export interface UpdateKey extends ProjectScope, UpdateTarget {
  readonly id: string;
  /** Null when it cannot be opened. */
  readonly token: string | null;
  readonly createdAt: Date;
  /** When the token was last replaced; null before. */
  readonly rotatedAt: Date | null;
  /** When an app last checked for updates, exact to a day; null before. */
  readonly lastUsedAt: Date | null;
}

type KeyEvent = 'update_key.created' | 'update_key.rotated' | 'update_key.revoked';

/** Keys of installed apps. They are public by nature, because every copy of an app contains its key. */
@Injectable()
export class UpdateKeysService implements OnModuleInit {
  constructor(
    private readonly repository: UpdateKeysRepository,
    private readonly channels: ChannelsService,
    private readonly tickets: DownloadTicketsService,
    private readonly sealer: Sealer,
    private readonly sealed: SealedColumns,
    private readonly secrets: ListedSecrets,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  onModuleInit(): void {
    this.tickets.keyLock.add((tx, key) => this.repository.lock(tx, key));
    this.channels.beforeDelete.add((tx, scope, channelId) => this.endOfChannel(tx, scope, channelId));
    this.sealed.register({ table: 'update_key', column: 'sealed_token', key: 'id', contextOf: sealContext });
  }

  /**
   * Creates the key of a channel and platform or, without a channel, of the project and platform.
   * @throws AppError not_found for a channel that is not in the project, already_exists when there is such a key.
   */
  async create(ctx: RequestContext, scope: ProjectScope, { channelId, platform }: UpdateTarget): Promise<UpdateKey> {
    return this.transactions.run(ctx, async (tx) => {
      if (channelId !== null) await this.channels.lock(tx, scope, channelId);
      const id = newId();
      const { token, digest, sealedToken } = this.newTokenFor(id);
      const row = {
        ...scopeOf(scope),
        id,
        channelId,
        platform,
        digest,
        sealedToken,
        createdAt: tx.clock.now(),
        rotatedAt: null,
        lastUsedAt: null,
      };
      await this.repository.insert(tx, row);
      await this.record(tx, 'update_key.created', row);
      return { ...row, token };
    });
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<UpdateKey> {
    return this.withToken(await this.getRow(ctx, scope, id));
  }

  /** The keys of a project or, with a channel, of that channel, newest first. */
  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    channelId: string | undefined,
    request: PageRequest,
  ): Promise<Page<UpdateKey>> {
    const page = await this.repository.list(ctx, scope, channelId, request);
    return { ...page, items: page.items.map((row) => this.withToken(row)) };
  }

  /**
   * Replaces the token of a key. Apps that contain the old one find no update any longer, and download URLs that it minted end.
   * @throws AppError not_found
   */
  async rotate(ctx: RequestContext, scope: ProjectScope, id: string): Promise<UpdateKey> {
    return this.transactions.run(ctx, async (tx) => {
      const { token, digest, sealedToken } = this.newTokenFor(id);
      const replaced = { digest, sealedToken, rotatedAt: tx.clock.now() };
      if (!(await this.repository.replaceToken(tx, scope, id, replaced))) throw missingKey();
      await this.tickets.endOfKey(tx, scope, id);
      const row = await this.getRow(tx, scope, id);
      await this.record(tx, 'update_key.rotated', row);
      return { ...row, token };
    });
  }

  /** Deletes a key. Download URLs that it minted end. @throws AppError not_found */
  async revoke(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const row = await this.getRow(tx, scope, id);
      if (!(await this.repository.delete(tx, scope, id))) throw missingKey();
      await this.tickets.endOfKey(tx, scope, id);
      await this.record(tx, 'update_key.revoked', row);
    });
  }

  /** Deletes the keys before their tickets: a ticket that is minted at the same time then exists, or is not minted. */
  private async endOfChannel(tx: RequestContext, scope: ProjectScope, channelId: string): Promise<void> {
    const ids = await this.repository.deleteOfChannel(tx, scope, channelId);
    for (const id of ids) await this.tickets.endOfKey(tx, scope, id);
  }

  private async getRow(ctx: RequestContext, scope: ProjectScope, id: string): Promise<UpdateKeyEntity> {
    const row = await this.repository.find(ctx, scope, id);
    if (!row) throw missingKey();
    return row;
  }

  private newTokenFor(id: string): { token: string; digest: Buffer; sealedToken: Buffer } {
    const token = newToken('ag_upd_');
    return { token, digest: digestOf(token), sealedToken: this.sealer.seal(Buffer.from(token), sealContext(id)) };
  }

  private withToken(row: UpdateKeyEntity): UpdateKey {
    return { ...row, token: this.secrets.open(row.sealedToken, sealContext(row.id)) };
  }

  private record(tx: RequestContext, type: KeyEvent, key: ProjectScope & UpdateTarget & { id: string }): Promise<void> {
    const payload = { update_key_id: key.id, channel_id: key.channelId, platform: key.platform };
    return this.audit.record(tx, { type, ...scopeOf(key), payload });
  }
}

/** Binds an encrypted token to its row. */
const sealContext = (id: string): string => `update_key|${id}`;

const missingKey = (): AppError => AppError.notFound('update key');
