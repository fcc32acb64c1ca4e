import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { changed, deleteOlder, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { isLive, LIVE } from '../catalogue/live-builds';

/** An installation of an app that reported to run a build. */
@Entity('build_installation')
@Index('ix_build_installation_reported', ['reportedAt'])
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_build_installation_build',
  onDelete: 'CASCADE',
})
export class BuildInstallationEntity {
  @PrimaryColumn('uuid', { name: 'build_id', primaryKeyConstraintName: 'pk_build_installation' })
  buildId: string;

  /** The first 16 bytes of a keyed digest of the id that the installation sends. The id itself is not stored. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_build_installation' })
  digest: Buffer;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  /** When it reported the build for the first time. */
  @Column({ type: 'timestamptz', name: 'reported_at', precision: 3 })
  reportedAt: Date;
}

/**
 * The maximum number of counted installations of a build whose digests start with the same byte, so about 262,000 (256 times as many) of a
 * build: a client that invents ids cannot fill the database. Digests are evenly distributed, and counting those with one first byte costs a
 * 256th of counting all.
 */
const MAX_PER_FIRST_BYTE = 1024;

/**
 * The maximum number of builds that are searched by the second of their upload, newest first: an app reports an installation at its next
 * start.
 */
const SEARCHED_BUILDS = 100;

/** Installations of apps that reported to run a build: one row for each build and installation. */
@Injectable()
export class BuildInstallationsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Counts an installation once. Does nothing for a build that was deleted, or that has too many. */
  async add(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    buildId: string,
    digest: Buffer,
  ): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `INSERT INTO build_installation (build_id, digest, organization_id, project_id, reported_at)
       SELECT b.id, $4, b.organization_id, b.project_id, $5 FROM build b
       WHERE b.organization_id = $1 AND b.project_id = $2 AND b.id = $3 AND ${isLive('b')} AND (
         SELECT count(*) FROM build_installation i
         WHERE i.build_id = b.id AND i.digest >= $6 AND i.digest <= $7
       ) < ${MAX_PER_FIRST_BYTE}
       ON CONFLICT DO NOTHING`,
      [organizationId, projectId, buildId, digest, ctx.clock.now(), ...rangeOf(digest)],
    );
  }

  /** The newest build of a platform that was uploaded in this second of Unix time, among the newest builds. */
  async findUploadedIn(
    ctx: RequestContext,
    projectId: string,
    platform: Platform,
    second: number,
  ): Promise<string | null> {
    const found = await one<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT id FROM (
         SELECT id, uploaded_at FROM build WHERE project_id = $1 AND platform = $2 AND ${LIVE}
         ORDER BY id DESC LIMIT ${SEARCHED_BUILDS}
       ) newest
       WHERE floor(extract(epoch FROM uploaded_at)) = $3 ORDER BY id DESC LIMIT 1`,
      [projectId, platform, second],
    );
    return found?.id ?? null;
  }

  prune(ctx: RequestContext, days: number): Promise<void> {
    const age = 'make_interval(days => $1)';
    return deleteOlder(this.transactions.manager(ctx), 'build_installation', {
      column: 'reported_at',
      age,
      values: [days],
    });
  }
}

/** The lowest and highest digest with the same first byte. */
const rangeOf = (digest: Buffer): [Buffer, Buffer] => [
  digest.subarray(0, 1),
  Buffer.concat([digest.subarray(0, 1), Buffer.alloc(digest.length - 1, 0xff)]),
];
