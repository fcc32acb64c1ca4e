import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { newId } from '#kernel/ids';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** The first acceptance of a version of the terms by a tester, or by an unknown person at a client address. */
@Entity('link_acceptance')
@Check('ck_link_acceptance_by', 'num_nonnulls(tester_id, address_digest) = 1')
@Index('uq_link_acceptance_tester', ['linkId', 'termsVersion', 'testerId'], {
  unique: true,
  where: 'tester_id IS NOT NULL',
})
@Index('uq_link_acceptance_address', ['linkId', 'termsVersion', 'addressDigest'], {
  unique: true,
  where: 'address_digest IS NOT NULL',
})
@Index('ix_link_acceptance_terms', ['organizationId', 'projectId', 'linkId', 'termsVersion'])
@Index('ix_link_acceptance_tester', ['organizationId', 'projectId', 'testerId'], { where: 'tester_id IS NOT NULL' })
@ForeignKey(
  'LinkTermsEntity',
  ['organizationId', 'projectId', 'linkId', 'termsVersion'],
  ['organizationId', 'projectId', 'linkId', 'version'],
  { name: 'fk_link_acceptance_terms', onDelete: 'CASCADE' },
)
@ForeignKey('TesterEntity', ['organizationId', 'projectId', 'testerId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_link_acceptance_tester',
  onDelete: 'CASCADE',
})
export class LinkAcceptanceEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_link_acceptance' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'link_id' })
  linkId: string;

  @Column('integer', { name: 'terms_version' })
  termsVersion: number;

  @Column('uuid', { name: 'tester_id', nullable: true })
  testerId: string | null;

  /** A keyed digest of the client address, which does not reveal it. */
  @Column({ type: 'bytea', name: 'address_digest', nullable: true })
  addressDigest: Buffer | null;

  @Column({ type: 'timestamptz', name: 'accepted_at', precision: 3 })
  acceptedAt: Date;
}

/** A version of the terms of a link. */
export interface TermsVersion extends ProjectScope {
  readonly linkId: string;
  readonly termsVersion: number;
}

/** The person who accepts: a tester, or an unknown person by the digest of the client address. */
export type AcceptedBy =
  | { readonly testerId: string; readonly addressDigest: null }
  | { readonly testerId: null; readonly addressDigest: Buffer };

@Injectable()
export class LinkAcceptancesRepository {
  constructor(private readonly transactions: Transactions) {}

  async hasAccepted(ctx: RequestContext, linkId: string, termsVersion: number, testerId: string): Promise<boolean> {
    const statement = 'SELECT 1 FROM link_acceptance WHERE link_id = $1 AND terms_version = $2 AND tester_id = $3';
    return (await one(this.transactions.manager(ctx), statement, [linkId, termsVersion, testerId])) !== null;
  }

  /** Records an acceptance. A repetition keeps the first one. */
  async insert(
    ctx: RequestContext,
    { organizationId, projectId, linkId, termsVersion }: TermsVersion,
    { testerId, addressDigest }: AcceptedBy,
  ): Promise<void> {
    await rows(
      this.transactions.manager(ctx),
      `INSERT INTO link_acceptance (id, organization_id, project_id, link_id, terms_version, tester_id, address_digest, accepted_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
      [newId(), organizationId, projectId, linkId, termsVersion, testerId, addressDigest, ctx.clock.now()],
    );
  }
}
