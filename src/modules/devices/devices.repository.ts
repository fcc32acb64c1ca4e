import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, In, Index, PrimaryColumn, type Repository, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { changed, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type StoredDevice } from './device';

/** A device of a tester. The id of the device is encrypted; a digest with a key of the service finds it. */
@Entity('device')
@Unique('uq_device_project', ['organizationId', 'projectId', 'id'])
@Unique('uq_device_digest', ['projectId', 'udidDigest'])
@Index('ix_device_project', ['projectId', 'id'])
@Index('ix_device_tester', ['testerId'], { where: 'tester_id IS NOT NULL' })
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_device_project',
  onDelete: 'CASCADE',
})
@ForeignKey('TesterEntity', ['organizationId', 'projectId', 'testerId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_device_tester',
  onDelete: 'CASCADE',
})
export class DeviceEntity implements StoredDevice {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_device' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'tester_id', nullable: true })
  testerId: string | null;

  @Column({ type: 'bytea', name: 'udid_digest' })
  udidDigest: Buffer;

  @Column({ type: 'bytea', name: 'udid_sealed' })
  udidSealed: Buffer;

  @Column('text', { nullable: true })
  product: string | null;

  @Column('text', { name: 'os_version', nullable: true })
  osVersion: string | null;

  @Column('text', { nullable: true })
  name: string | null;

  @Column({ type: 'timestamptz', name: 'registered_at', precision: 3, nullable: true })
  registeredAt: Date | null;

  @Column({ type: 'timestamptz', name: 'included_at', precision: 3, nullable: true })
  includedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

@Injectable()
export class DevicesRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Locks the registration of devices in a project until the transaction ends, so that quota and digests stay exact. */
  lock(tx: RequestContext, { projectId }: ProjectScope): Promise<void> {
    return this.transactions.advisoryLock(tx, `devices|${projectId}`);
  }

  count(ctx: RequestContext, scope: ProjectScope): Promise<number> {
    return this.devices(ctx).countBy(scopeOf(scope));
  }

  async insert(tx: RequestContext, devices: readonly DeviceEntity[]): Promise<void> {
    if (devices.length > 0) await this.devices(tx).insert([...devices]);
  }

  find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<DeviceEntity | null> {
    return this.devices(ctx).findOneBy({ ...scopeOf(scope), id });
  }

  findMany(ctx: RequestContext, scope: ProjectScope, ids: readonly string[]): Promise<DeviceEntity[]> {
    return this.devices(ctx).find({ where: { ...scopeOf(scope), id: In([...ids]) }, order: { id: 'DESC' } });
  }

  findByDigests(ctx: RequestContext, scope: ProjectScope, digests: readonly Buffer[]): Promise<DeviceEntity[]> {
    return this.devices(ctx).findBy({ ...scopeOf(scope), udidDigest: In([...digests]) });
  }

  /** The devices of a tester, oldest first. */
  findOfTester(ctx: RequestContext, scope: ProjectScope, testerId: string): Promise<DeviceEntity[]> {
    return this.devices(ctx).find({ where: { ...scopeOf(scope), testerId }, order: { id: 'ASC' } });
  }

  async update(
    tx: RequestContext,
    scope: ProjectScope,
    id: string,
    change: Partial<Omit<DeviceEntity, 'id' | 'organizationId' | 'projectId'>>,
  ): Promise<boolean> {
    return (await this.devices(tx).update({ ...scopeOf(scope), id }, change)).affected === 1;
  }

  async delete(tx: RequestContext, scope: ProjectScope, id: string): Promise<boolean> {
    return (await this.devices(tx).delete({ ...scopeOf(scope), id })).affected === 1;
  }

  /** Marks devices as registered with Apple, unless they are. @returns the ids of the changed ones. */
  async markRegistered(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    ids: readonly string[],
  ): Promise<string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(tx),
      `UPDATE device SET registered_at = $4
       WHERE organization_id = $1 AND project_id = $2 AND id = ANY ($3::uuid[]) AND registered_at IS NULL RETURNING id`,
      [organizationId, projectId, ids, tx.clock.now()],
    );
    return found.map(({ id }) => id);
  }

  /** The numbers of devices of a project that are not among these, and of those among them that no build included before. */
  async compare(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    digests: readonly Buffer[],
  ): Promise<{ readonly missing: number; readonly waiting: number }> {
    const found = await one<{ missing: number; waiting: number }>(
      this.transactions.manager(ctx),
      `SELECT count(*) FILTER (WHERE known.digest IS NULL)::int AS missing,
              count(*) FILTER (WHERE known.digest IS NOT NULL AND d.included_at IS NULL)::int AS waiting
       FROM device d LEFT JOIN (SELECT DISTINCT digest FROM unnest($3::bytea[]) AS u (digest)) known ON known.digest = d.udid_digest
       WHERE d.organization_id = $1 AND d.project_id = $2`,
      [organizationId, projectId, digests],
    );
    return found ?? { missing: 0, waiting: 0 };
  }

  /** Locks the devices with these digests that no build included before. A device that another transaction has locked is waited for. */
  lockNotIncluded(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    digests: readonly Buffer[],
  ): Promise<Pick<DeviceEntity, 'id' | 'testerId'>[]> {
    return rows(
      this.transactions.manager(tx),
      `SELECT id, tester_id AS "testerId" FROM device WHERE organization_id = $1 AND project_id = $2
       AND udid_digest = ANY ($3::bytea[]) AND included_at IS NULL ORDER BY id FOR UPDATE`,
      [organizationId, projectId, digests],
    );
  }

  async markIncluded(tx: RequestContext, ids: readonly string[]): Promise<void> {
    await changed(this.transactions.manager(tx), `UPDATE device SET included_at = $2 WHERE id = ANY ($1::uuid[])`, [
      ids,
      tx.clock.now(),
    ]);
  }

  private devices(ctx: RequestContext): Repository<DeviceEntity> {
    return this.transactions.manager(ctx).getRepository(DeviceEntity);
  }
}
