import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';

const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'buildId'];

/** The developer's signature of a build's file, by which the updater of the app verifies it. */
@Entity('update_signature')
@Index('ix_update_signature_build', OF_THE_PROJECT)
@ForeignKey('BuildEntity', OF_THE_PROJECT, ['organizationId', 'projectId', 'id'], {
  name: 'fk_update_signature_build',
  onDelete: 'CASCADE',
})
export class UpdateSignatureEntity {
  @PrimaryColumn('uuid', { name: 'build_id', primaryKeyConstraintName: 'pk_update_signature' })
  buildId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  signature: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

@Injectable()
export class UpdateSignaturesRepository {
  constructor(private readonly transactions: Transactions) {}

  async find(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<string | null> {
    const found = await this.signatures(ctx).findOneBy({ ...scopeOf(scope), buildId });
    return found?.signature ?? null;
  }

  /** Stores the signature of a build, instead of an earlier one. The caller must know that the build is in the project. */
  async save(ctx: RequestContext, scope: ProjectScope, buildId: string, signature: string): Promise<void> {
    const row = { ...scopeOf(scope), buildId, signature, createdAt: ctx.clock.now() };
    await this.signatures(ctx).upsert(row, ['buildId']);
  }

  async delete(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<void> {
    await this.signatures(ctx).delete({ ...scopeOf(scope), buildId });
  }

  private signatures(ctx: RequestContext) {
    return this.transactions.manager(ctx).getRepository(UpdateSignatureEntity);
  }
}
