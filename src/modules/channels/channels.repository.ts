import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, In, Index, PrimaryColumn, type Repository, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { findPage } from '#infra/database/find-page';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** A named release slot of a project. */
@Entity('channel')
@Unique('uq_channel_project', ['organizationId', 'projectId', 'id'])
@Unique('uq_channel_name', ['projectId', 'name'])
@Check('ck_channel_last_sequence', 'last_sequence >= 0')
@Index('ix_channel_project', ['projectId', 'id'])
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], { name: 'fk_channel_project' })
export class ChannelEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_channel' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  name: string;

  /** The number of the channel's last release, also when that was withdrawn. */
  @Column('integer', { name: 'last_sequence' })
  lastSequence: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

export interface ChannelFilter {
  /** Exactly this name. */
  readonly name?: string | undefined;
}

@Injectable()
export class ChannelsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Locks adding channels to the project until the transaction ends, so that the quota stays exact, and counts its channels. */
  async lockAndCount(ctx: RequestContext, scope: ProjectScope): Promise<number> {
    await this.transactions.advisoryLock(ctx, `channels|${scope.projectId}`);
    return this.count(ctx, scope);
  }

  /** Locks adding channels like `lockAndCount`. @returns those of the names that a channel has. */
  async lockAndFindNames(
    ctx: RequestContext,
    scope: ProjectScope,
    names: readonly string[],
  ): Promise<ReadonlySet<string>> {
    await this.transactions.advisoryLock(ctx, `channels|${scope.projectId}`);
    const where = { ...scopeOf(scope), name: In([...names]) };
    const found = await this.channels(ctx).find({ select: { name: true }, where });
    return new Set(found.map(({ name }) => name));
  }

  count(ctx: RequestContext, { projectId }: ProjectScope): Promise<number> {
    return this.channels(ctx).countBy({ projectId });
  }

  async insert(ctx: RequestContext, channel: ChannelEntity): Promise<void> {
    await this.channels(ctx).insert(channel);
  }

  find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ChannelEntity | null> {
    return this.channels(ctx).findOneBy({ ...scopeOf(scope), id });
  }

  findMany(ctx: RequestContext, scope: ProjectScope, ids: readonly string[]): Promise<ChannelEntity[]> {
    return this.channels(ctx).findBy({ ...scopeOf(scope), id: In([...ids]) });
  }

  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    { name }: ChannelFilter,
    page: PageRequest,
  ): Promise<Page<ChannelEntity>> {
    const where = { ...scopeOf(scope), ...(name !== undefined && { name }) };
    return findPage(this.channels(ctx), where, page, `channels|${scope.projectId}`);
  }

  existInOrganization(ctx: RequestContext, organizationId: string): Promise<boolean> {
    return this.channels(ctx).existsBy({ organizationId });
  }

  /** @returns false when the channel does not exist. */
  async rename(ctx: RequestContext, scope: ProjectScope, id: string, name: string): Promise<boolean> {
    const { affected } = await this.channels(ctx).update({ ...scopeOf(scope), id }, { name });
    return affected === 1;
  }

  /** @returns false when the channel does not exist. */
  async delete(ctx: RequestContext, scope: ProjectScope, id: string): Promise<boolean> {
    const { affected } = await this.channels(ctx).delete({ ...scopeOf(scope), id });
    return affected === 1;
  }

  /**
   * Locks the channel's row. Every transaction that changes its releases holds this lock, or the weaker one, which is `nextSequence`'s, too:
   * with `for_no_key_update`, other transactions may add rows that refer to the channel.
   * @returns false when it does not exist.
   */
  async lock(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    mode: 'pessimistic_write' | 'for_no_key_update' = 'pessimistic_write',
  ): Promise<boolean> {
    const where = { ...scopeOf(scope), id };
    return (await this.channels(ctx).findOne({ select: { id: true }, where, lock: { mode } })) !== null;
  }

  /** Locks the channel's row and returns the number of its next release, null when the channel does not exist. Numbers are not reused. */
  async nextSequence(ctx: RequestContext, scope: ProjectScope, id: string): Promise<number | null> {
    const row = await one<{ sequence: number }>(
      this.transactions.manager(ctx),
      `UPDATE channel SET last_sequence = last_sequence + 1
       WHERE organization_id = $1 AND project_id = $2 AND id = $3 RETURNING last_sequence AS sequence`,
      [scope.organizationId, scope.projectId, id],
    );
    return row?.sequence ?? null;
  }

  private channels(ctx: RequestContext): Repository<ChannelEntity> {
    return this.transactions.manager(ctx).getRepository(ChannelEntity);
  }
}
