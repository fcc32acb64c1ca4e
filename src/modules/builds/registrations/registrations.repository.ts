import { Injectable } from '@nestjs/common';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type Registration, type RegistrationState, type SignedPackageName } from './registration';

/** Public facts about packages, of all organizations: whether they are registered to a verified developer. */
@Entity('android_registration')
@Index('ix_android_registration_next', ['nextAt'])
export class AndroidRegistrationEntity implements SignedPackageName {
  @PrimaryColumn('text', { name: 'package_name', primaryKeyConstraintName: 'pk_android_registration' })
  packageName: string;

  @PrimaryColumn('text', { name: 'certificate_sha256', primaryKeyConstraintName: 'pk_android_registration' })
  certificateSha256: string;

  @Column('text')
  state: RegistrationState;

  /** When the state was found. Null before the first check. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  since: Date | null;

  /** When it is checked again. */
  @Column({ type: 'timestamptz', name: 'next_at', precision: 3 })
  nextAt: Date;
}

/** The result of a check. */
export interface CheckedState extends SignedPackageName {
  readonly state: RegistrationState;
  readonly nextAt: Date;
}

const OF_PACKAGE = `platform = 'android' AND artifact->>'bundleId' = $1 AND artifact->'signing'->>'certificateSha256' = $2`;

@Injectable()
export class RegistrationsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The registration of a package of a new build. Adds a package that is not known, to be checked immediately. Locks the row until the
   * transaction ends, so that a change of the state finds the build.
   * @returns null before the first check.
   */
  async watch(tx: RequestContext, { packageName, certificateSha256 }: SignedPackageName): Promise<Registration | null> {
    const row = await one<{ state: RegistrationState; since: Date | null }>(
      this.transactions.manager(tx),
      `INSERT INTO android_registration AS r (package_name, certificate_sha256, state, next_at) VALUES ($1, $2, 'unknown', $3)
       ON CONFLICT ON CONSTRAINT pk_android_registration DO UPDATE SET state = r.state RETURNING state, since`,
      [packageName, certificateSha256, tx.clock.now()],
    );
    return row?.since ? { state: row.state, since: row.since.toISOString() } : null;
  }

  /** The packages that are due for a check, the longest due first. */
  due(ctx: RequestContext, limit: number): Promise<SignedPackageName[]> {
    return rows<SignedPackageName>(
      this.transactions.manager(ctx),
      `SELECT package_name AS "packageName", certificate_sha256 AS "certificateSha256" FROM android_registration
       WHERE next_at <= $1 ORDER BY next_at LIMIT $2`,
      [ctx.clock.now(), limit],
    );
  }

  /** Stores the result of a check, and shows a changed state on all builds of the package. */
  async record(ctx: RequestContext, { packageName, certificateSha256, state, nextAt }: CheckedState): Promise<void> {
    const now = ctx.clock.now();
    await this.transactions.run(ctx, async (tx) => {
      const manager = this.transactions.manager(tx);
      const key = [packageName, certificateSha256];
      const before = await one<{ state: RegistrationState; since: Date | null }>(
        manager,
        `SELECT state, since FROM android_registration WHERE package_name = $1 AND certificate_sha256 = $2 FOR UPDATE`,
        key,
      );
      if (!before) return;
      const isNew = before.since === null || before.state !== state;
      await changed(
        manager,
        `UPDATE android_registration SET state = $3, since = $4, next_at = $5
         WHERE package_name = $1 AND certificate_sha256 = $2`,
        [...key, state, isNew ? now : before.since, nextAt],
      );
      if (!isNew) return;
      const registration: Registration = { state, since: now.toISOString() };
      await changed(manager, `UPDATE build SET android_registration = $3 WHERE ${OF_PACKAGE}`, [
        ...key,
        JSON.stringify(registration),
      ]);
    });
  }

  /** Postpones all checks that are due earlier. */
  async postpone(ctx: RequestContext, until: Date): Promise<void> {
    await changed(this.transactions.manager(ctx), `UPDATE android_registration SET next_at = $1 WHERE next_at < $1`, [
      until,
    ]);
  }

  /** Adds the packages of builds since a time that are not known, which were uploaded before the checks were switched on. */
  async watchBuilds(ctx: RequestContext, since: Date, limit: number): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `INSERT INTO android_registration (package_name, certificate_sha256, state, next_at)
       SELECT DISTINCT artifact->>'bundleId', artifact->'signing'->>'certificateSha256', 'unknown', $2::timestamptz FROM (
         SELECT artifact FROM build
         WHERE platform = 'android' AND uploaded_at >= $1 AND android_registration IS NULL ORDER BY id DESC LIMIT $3) b
       WHERE artifact->>'kind' = 'apk' AND artifact->'signing'->>'certificateVerified' = 'true'
         AND artifact->'signing'->>'debugCertificate' = 'false'
       ON CONFLICT DO NOTHING`,
      [since, ctx.clock.now(), limit],
    );
  }

  /** Deletes all states, also those of builds, when the checks were switched off. @returns whether there were any. */
  async forget(ctx: RequestContext): Promise<boolean> {
    const manager = this.transactions.manager(ctx);
    if ((await changed(manager, 'DELETE FROM android_registration')) === 0) return false;
    await changed(manager, 'UPDATE build SET android_registration = NULL WHERE android_registration IS NOT NULL');
    return true;
  }
}
