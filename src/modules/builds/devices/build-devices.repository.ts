import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { comparableUdid } from '#kernel/builds/udid';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { newId } from '#kernel/ids';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { ListedSecrets } from '#infra/crypto/listed-secrets';
import { Sealer } from '#infra/crypto/sealer';
import { changed, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { isTrashed } from '../catalogue/live-builds';

/** A device of the provisioning profile of a build. Its id is personal data: a keyed digest finds it, and only the service's key opens it. */
@Entity('build_device')
@Unique('uq_build_device_digest', ['buildId', 'udidDigest'])
@Index('ix_build_device_digest', ['projectId', 'udidDigest'])
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_build_device_build',
  onDelete: 'CASCADE',
})
export class BuildDeviceEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_build_device' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'build_id' })
  buildId: string;

  @Column({ type: 'bytea', name: 'udid_digest' })
  udidDigest: Buffer;

  @Column({ type: 'bytea', name: 'udid_sealed' })
  udidSealed: Buffer;
}

/** Binds a sealed device id to its row. */
export const buildDeviceContext = (id: string): string => `build_device|${id}`;

/** Digests of device ids. They differ between organizations, so that no one can see from the database which of them know a device. */
@Injectable()
export class DeviceDigests {
  constructor(private readonly digests: KeyedDigest) {}

  of({ organizationId }: Pick<ProjectScope, 'organizationId'>, udid: string): Buffer {
    return this.digests.of(`device|${organizationId}`, comparableUdid(udid));
  }
}

interface PlainRow extends ProjectScope {
  readonly buildId: string;
  readonly devices: readonly string[];
}

/** Builds per transaction of the job: a thousand devices, the maximum of a build, take a tenth of a second, for which it is locked. */
const SEALED_AT_ONCE = 1;

@Injectable()
export class BuildDevicesRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly digests: DeviceDigests,
    private readonly sealer: Sealer,
    private readonly secrets: ListedSecrets,
  ) {}

  /** Stores the devices of a build, each once. */
  async insert(tx: RequestContext, scope: ProjectScope, buildId: string, udids: readonly string[]): Promise<void> {
    if (udids.length === 0) return;
    const stored = udids.map((udid) => {
      const id = newId();
      const sealed = this.sealer.seal(Buffer.from(udid), buildDeviceContext(id));
      return { id, digest: this.digests.of(scope, udid), sealed };
    });
    await rows(
      this.transactions.manager(tx),
      `INSERT INTO build_device (id, organization_id, project_id, build_id, udid_digest, udid_sealed)
       SELECT d.id, $1, $2, $3, d.digest, d.sealed FROM unnest($4::uuid[], $5::bytea[], $6::bytea[]) AS d (id, digest, sealed)
       ON CONFLICT (build_id, udid_digest) DO NOTHING`,
      [
        scope.organizationId,
        scope.projectId,
        buildId,
        stored.map(({ id }) => id),
        stored.map(({ digest }) => digest),
        stored.map(({ sealed }) => sealed),
      ],
    );
  }

  /** The device ids of a build, as its profile has them, without those that cannot be opened. */
  async udidsOf(ctx: RequestContext, buildId: string): Promise<string[]> {
    const found = await rows<Pick<BuildDeviceEntity, 'id' | 'udidSealed'>>(
      this.transactions.manager(ctx),
      `SELECT id, udid_sealed AS "udidSealed" FROM build_device WHERE build_id = $1 ORDER BY id`,
      [buildId],
    );
    return found.flatMap(({ id, udidSealed }) => this.secrets.open(udidSealed, buildDeviceContext(id)) ?? []);
  }

  /** The builds of a project whose profile has a device. @param among only these builds. */
  async buildsWith(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    digest: Buffer,
    among: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const found = await rows<{ buildId: string }>(
      this.transactions.manager(ctx),
      `SELECT build_id AS "buildId" FROM build_device
       WHERE organization_id = $1 AND project_id = $2 AND udid_digest = $3 AND build_id = ANY ($4::uuid[])`,
      [organizationId, projectId, digest, among],
    );
    return new Set(found.map(({ buildId }) => buildId));
  }

  /** The digests among some that are in the profile of a build of the project. */
  async digestsInBuilds(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    digests: readonly Buffer[],
  ): Promise<Buffer[]> {
    const found = await rows<{ digest: Buffer }>(
      this.transactions.manager(ctx),
      `SELECT DISTINCT udid_digest AS digest FROM build_device
       WHERE organization_id = $1 AND project_id = $2 AND udid_digest = ANY ($3::bytea[])
         AND NOT ${isTrashed('build_id')}`,
      [organizationId, projectId, digests],
    );
    return found.map(({ digest }) => digest);
  }

  /** The digests of the devices of a build. */
  async digestsOf(ctx: RequestContext, buildId: string): Promise<Buffer[]> {
    const found = await rows<{ digest: Buffer }>(
      this.transactions.manager(ctx),
      `SELECT udid_digest AS digest FROM build_device WHERE build_id = $1`,
      [buildId],
    );
    return found.map(({ digest }) => digest);
  }

  /** Forgets devices in all builds of a project. */
  async erase(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    digests: readonly Buffer[],
  ): Promise<void> {
    await changed(
      this.transactions.manager(tx),
      `DELETE FROM build_device WHERE organization_id = $1 AND project_id = $2 AND udid_digest = ANY ($3::bytea[])`,
      [organizationId, projectId, digests],
    );
  }

  /**
   * Moves the device ids of a build of an earlier release, which are in plain text in its details, into this table. The build is locked
   * against deletion, which waits for the end of the transaction.
   * @returns how many builds it changed; 0 when none is left.
   */
  async sealNext(tx: RequestContext): Promise<number> {
    const manager = this.transactions.manager(tx);
    const plain = await rows<PlainRow>(
      manager,
      `SELECT d.build_id AS "buildId", d.organization_id AS "organizationId", d.project_id AS "projectId", d.details -> 'devices' AS devices
       FROM build_detail d JOIN build b ON b.id = d.build_id WHERE jsonb_typeof(d.details -> 'devices') = 'array'
       ORDER BY d.build_id LIMIT ${SEALED_AT_ONCE} FOR KEY SHARE OF b SKIP LOCKED FOR NO KEY UPDATE OF d SKIP LOCKED`,
    );
    for (const { buildId, devices, ...scope } of plain) await this.insert(tx, scope, buildId, devices);
    return changed(manager, `UPDATE build_detail SET details = details - 'devices' WHERE build_id = ANY ($1::uuid[])`, [
      plain.map(({ buildId }) => buildId),
    ]);
  }
}
