import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, In, PrimaryColumn, type Repository, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Language } from '#kernel/text/language';
import { columnsOf, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BranchChannels, type Project } from './project';

/** An app that an organization distributes. */
@Entity('project')
@Unique('uq_project_organization', ['organizationId', 'id'])
@Unique('uq_project_name', ['organizationId', 'name'])
@Check('ck_project_language', `language IN ('en', 'de')`)
export class ProjectEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_project' })
  id: string;

  @ForeignKey('OrganizationEntity', { name: 'fk_project_organization' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  name: string;

  @Column('boolean', { name: 'allow_any_bundle_id' })
  allowAnyBundleId: boolean;

  /** The language of the mails to testers. */
  @Column('text', { default: 'en' })
  language: Language;

  /** Whether the managers get a mail before devices stop launching builds. */
  @Column('boolean', { name: 'signing_expiry_mails', default: true })
  signingExpiryMails: boolean;

  /** The channels that uploads make. */
  @Column('jsonb', { name: 'branch_channels', nullable: true })
  branchChannels: BranchChannels | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

@Injectable()
export class ProjectsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Counts the organization's projects. The lock lasts until the transaction ends, so concurrent creations cannot exceed a
   * quota.
   */
  async lockAndCount(ctx: RequestContext, organizationId: string): Promise<number> {
    await this.transactions.advisoryLock(ctx, `projects|${organizationId}`);
    return this.count(ctx, organizationId);
  }

  count(ctx: RequestContext, organizationId: string): Promise<number> {
    return this.projects(ctx).countBy({ organizationId });
  }

  async insert(ctx: RequestContext, project: ProjectEntity): Promise<void> {
    await this.projects(ctx).insert(project);
  }

  find(ctx: RequestContext, { organizationId, projectId }: ProjectScope): Promise<ProjectEntity | null> {
    const columns = columnsOf(this.projects(ctx).metadata);
    const statement = `SELECT ${columns} FROM project WHERE organization_id = $1 AND id = $2`;
    return one(this.transactions.manager(ctx), statement, [organizationId, projectId]);
  }

  /** The names of projects by id. Missing ids are skipped. */
  async findNames(
    ctx: RequestContext,
    organizationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = await this.projects(ctx).find({
      select: { id: true, name: true },
      where: { organizationId, id: In([...ids]) },
    });
    return new Map(found.map(({ id, name }) => [id, name]));
  }

  async findExisting(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.projects(ctx).find({ select: { id: true }, where: { id: In([...ids]) } });
    return new Set(found.map(({ id }) => id));
  }

  async update(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    change: Partial<Omit<Project, 'id' | 'organizationId' | 'createdAt'>>,
  ): Promise<void> {
    await this.projects(ctx).update({ organizationId, id: projectId }, change);
  }

  /** Whether the organization has a project. */
  exist(ctx: RequestContext, organizationId: string): Promise<boolean> {
    return this.projects(ctx).existsBy({ organizationId });
  }

  /** @returns false when the project does not exist. */
  async delete(ctx: RequestContext, { organizationId, projectId }: ProjectScope): Promise<boolean> {
    const { affected } = await this.projects(ctx).delete({ organizationId, id: projectId });
    return affected === 1;
  }

  private projects(ctx: RequestContext): Repository<ProjectEntity> {
    return this.transactions.manager(ctx).getRepository(ProjectEntity);
  }
}
