import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, In, Index, PrimaryColumn } from 'typeorm';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';

const PRIMARY_KEY = 'pk_min_supported_version';
const PROJECT: [string, string] = ['organizationId', 'projectId'];

/** The lowest version of a platform that a project still supports. Older apps must be updated. */
@Entity('min_supported_version')
@Index('ix_min_supported_version_project', PROJECT)
@Check('ck_min_supported_version_platform', `platform IN (${PLATFORMS.map((platform) => `'${platform}'`).join(', ')})`)
@ForeignKey('ProjectEntity', PROJECT, ['organizationId', 'id'], {
  name: 'fk_min_supported_version_project',
  onDelete: 'CASCADE',
})
export class MinSupportedVersionEntity {
  @PrimaryColumn('uuid', { name: 'project_id', primaryKeyConstraintName: PRIMARY_KEY })
  projectId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: PRIMARY_KEY })
  platform: Platform;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** For Android the version code. */
  @Column('text')
  version: string;
}

/** A platform and the lowest version of it that is supported. */
export type MinSupportedVersion = readonly [platform: Platform, version: string];

@Injectable()
export class MinSupportedVersionsRepository {
  constructor(private readonly transactions: Transactions) {}

  async list(ctx: RequestContext, scope: ProjectScope): Promise<readonly MinSupportedVersion[]> {
    const found = await this.versions(ctx).findBy(scopeOf(scope));
    return found.map(({ platform, version }) => [platform, version]);
  }

  async save(ctx: RequestContext, scope: ProjectScope, versions: readonly MinSupportedVersion[]): Promise<void> {
    const rows = versions.map(([platform, version]) => ({ ...scopeOf(scope), platform, version }));
    await this.versions(ctx).upsert(rows, ['projectId', 'platform']);
  }

  async delete(ctx: RequestContext, scope: ProjectScope, platforms: readonly Platform[]): Promise<void> {
    await this.versions(ctx).delete({ ...scopeOf(scope), platform: In([...platforms]) });
  }

  private versions(ctx: RequestContext) {
    return this.transactions.manager(ctx).getRepository(MinSupportedVersionEntity);
  }
}
