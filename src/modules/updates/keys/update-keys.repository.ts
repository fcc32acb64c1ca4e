import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, type Repository, Unique } from 'typeorm';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type UpdateKeyIdentity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { findPage } from '#infra/database/find-page';
import { changed, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/**
 * The key that an app contains to find its updates, looked up by its digest. The token is also kept encrypted, because the API returns
 * it on every read. A channel has one key per platform, and so has the project as a whole.
 */
@Entity('update_key')
@Unique('uq_update_key_digest', ['digest'])
@Index('uq_update_key_channel', ['channelId', 'platform'], { unique: true, where: 'channel_id IS NOT NULL' })
@Index('uq_update_key_whole_project', ['projectId', 'platform'], { unique: true, where: 'channel_id IS NULL' })
@Index('ix_update_key_project', ['projectId', 'id'])
@Check('ck_update_key_platform', `platform IN (${PLATFORMS.map((platform) => `'${platform}'`).join(', ')})`)
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_update_key_project',
  onDelete: 'CASCADE',
})
@ForeignKey('ChannelEntity', ['organizationId', 'projectId', 'channelId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_update_key_channel',
  onDelete: 'CASCADE',
})
export class UpdateKeyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_update_key' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  /** The channel whose current release the key opens. Null: the newest build of the project. */
  @Column('uuid', { name: 'channel_id', nullable: true })
  channelId: string | null;

  @Column('text')
  platform: Platform;

  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'bytea', name: 'sealed_token' })
  sealedToken: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When the token was last replaced; null before. */
  @Column({ type: 'timestamptz', name: 'rotated_at', precision: 3, nullable: true })
  rotatedAt: Date | null;

  /** When an app last checked for updates, exact to a day; null before. */
  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}

/** The parts of a row that a rotation replaces. */
type ReplacedToken = Pick<UpdateKeyEntity, 'digest' | 'sealedToken' | 'rotatedAt'>;

@Injectable()
export class UpdateKeysRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, key: UpdateKeyEntity): Promise<void> {
    await this.keys(ctx).insert(key);
  }

  find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<UpdateKeyEntity | null> {
    return this.keys(ctx).findOneBy({ ...scopeOf(scope), id });
  }

  /** One page of the keys of a project or, with a channel, of that channel, newest first. */
  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    channelId: string | undefined,
    page: PageRequest,
  ): Promise<Page<UpdateKeyEntity>> {
    const where = { ...scopeOf(scope), ...(channelId !== undefined && { channelId }) };
    return findPage(this.keys(ctx), where, page, `update-keys|${channelId ?? scope.projectId}`);
  }

  /** @returns false when the key does not exist. */
  async replaceToken(ctx: RequestContext, scope: ProjectScope, id: string, token: ReplacedToken): Promise<boolean> {
    return (await this.keys(ctx).update({ ...scopeOf(scope), id }, token)).affected === 1;
  }

  /** @returns false when the key does not exist. */
  async delete(ctx: RequestContext, scope: ProjectScope, id: string): Promise<boolean> {
    return (await this.keys(ctx).delete({ ...scopeOf(scope), id })).affected === 1;
  }

  /** Deletes the keys of a channel. @returns their ids. */
  async deleteOfChannel(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    channelId: string,
  ): Promise<readonly string[]> {
    const deleted = await rows<{ id: string }>(
      this.transactions.manager(tx),
      'DELETE FROM update_key WHERE organization_id = $1 AND project_id = $2 AND channel_id = $3 RETURNING id',
      [organizationId, projectId, channelId],
    );
    return deleted.map(({ id }) => id);
  }

  /** Prevents the rotation and the deletion of a key until the end of the transaction. False when the key has ended. */
  async lock(tx: RequestContext, { updateKeyId, digest }: UpdateKeyIdentity): Promise<boolean> {
    const statement = 'SELECT 1 FROM update_key WHERE id = $1 AND digest = $2 FOR KEY SHARE';
    return (await rows(this.transactions.manager(tx), statement, [updateKeyId, digest])).length === 1;
  }

  /** Records the use of a key, unless one was recorded after `before`. */
  async recordUse(ctx: RequestContext, id: string, before: Date): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      'UPDATE update_key SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)',
      [id, ctx.clock.now(), before],
    );
  }

  private keys(ctx: RequestContext): Repository<UpdateKeyEntity> {
    return this.transactions.manager(ctx).getRepository(UpdateKeyEntity);
  }
}
