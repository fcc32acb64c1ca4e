import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { columnsOf, insertRow, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type LinkAccess, type LinkRule } from './link-rule';

/** The rules of a link. A link that never had any has no row. */
@Entity('link_rule')
@Check('ck_link_rule_access', `access IN ('open', 'password', 'sign_in', 'members')`)
@Check('ck_link_rule_password', `(access = 'password') = (password_hash IS NOT NULL)`)
@ForeignKey('InstallLinkEntity', ['organizationId', 'projectId', 'linkId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_link_rule_invite',
  onDelete: 'CASCADE',
})
export class LinkRuleEntity implements LinkRule {
  @PrimaryColumn('uuid', { name: 'invite_id', primaryKeyConstraintName: 'pk_link_rule' })
  linkId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  access: LinkAccess;

  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column('integer', { name: 'max_downloads', nullable: true })
  maxDownloads: number | null;

  @Column('integer', { name: 'used_downloads' })
  usedDownloads: number;

  @Column('integer', { name: 'terms_version', nullable: true })
  termsVersion: number | null;

  @Column('integer')
  version: number;
}

/** A version of the terms of a link. It outlives the link, because acceptances refer to it. */
@Entity('link_terms')
@Unique('uq_link_terms_project', ['organizationId', 'projectId', 'linkId', 'version'])
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_link_terms_project',
  onDelete: 'CASCADE',
})
export class LinkTermsEntity {
  @PrimaryColumn('uuid', { name: 'link_id', primaryKeyConstraintName: 'pk_link_terms' })
  linkId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'pk_link_terms' })
  version: number;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  text: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

@Injectable()
export class LinkRulesRepository {
  constructor(private readonly transactions: Transactions) {}

  find(ctx: RequestContext, linkId: string): Promise<LinkRule | null> {
    const manager = this.transactions.manager(ctx);
    const columns = columnsOf(manager.connection.getMetadata(LinkRuleEntity));
    return one(manager, `SELECT ${columns} FROM link_rule WHERE invite_id = $1`, [linkId]);
  }

  /** Inserts or replaces the rules of a link; the number of downloads stays. The caller has locked the link. */
  async save(tx: RequestContext, rule: LinkRule): Promise<void> {
    const { linkId, organizationId, projectId, access, passwordHash, expiresAt, maxDownloads, termsVersion, version } =
      rule;
    await rows(
      this.transactions.manager(tx),
      `INSERT INTO link_rule AS r (invite_id, organization_id, project_id, access, password_hash, expires_at, max_downloads,
         used_downloads, terms_version, version)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9)
       ON CONFLICT (invite_id) DO UPDATE SET access = $4, password_hash = $5, expires_at = $6, max_downloads = $7,
         terms_version = $8, version = $9`,
      [linkId, organizationId, projectId, access, passwordHash, expiresAt, maxDownloads, termsVersion, version],
    );
  }

  /**
   * Counts a download through a link in the transaction that charges it, and locks the count until the end of the transaction.
   * @returns false when the download exceeds the maximum of the link; the caller then rolls back.
   */
  async countDownload(tx: RequestContext, linkId: string): Promise<boolean> {
    const counted = await one<{ fits: boolean | null }>(
      this.transactions.manager(tx),
      `UPDATE link_rule SET used_downloads = used_downloads + 1 WHERE invite_id = $1
       RETURNING used_downloads <= max_downloads AS fits`,
      [linkId],
    );
    return counted?.fits !== false;
  }

  async insertTerms(tx: RequestContext, terms: LinkTermsEntity): Promise<void> {
    await insertRow(this.transactions.manager(tx), LinkTermsEntity, terms);
  }

  /** The newest version of the terms that a link ever had, 0 when it had none. */
  async newestTermsVersion(ctx: RequestContext, linkId: string): Promise<number> {
    const statement = 'SELECT coalesce(max(version), 0) AS version FROM link_terms WHERE link_id = $1';
    return (await one<{ version: number }>(this.transactions.manager(ctx), statement, [linkId]))?.version ?? 0;
  }

  async findTerms(ctx: RequestContext, linkId: string, version: number): Promise<string | null> {
    const statement = 'SELECT text FROM link_terms WHERE link_id = $1 AND version = $2';
    return (await one<{ text: string }>(this.transactions.manager(ctx), statement, [linkId, version]))?.text ?? null;
  }

  /** The rules of links of a project, by the id of the link. */
  async findMany(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    linkIds: readonly string[],
  ): Promise<ReadonlyMap<string, LinkRule & { readonly terms: string | null }>> {
    if (linkIds.length === 0) return new Map();
    const manager = this.transactions.manager(ctx);
    const found = await rows<LinkRule & { terms: string | null }>(
      manager,
      `SELECT ${columnsOf(manager.connection.getMetadata(LinkRuleEntity), 'r')}, t.text AS terms
       FROM link_rule r LEFT JOIN link_terms t ON t.link_id = r.invite_id AND t.version = r.terms_version
       WHERE r.invite_id = ANY ($1::uuid[]) AND r.organization_id = $2 AND r.project_id = $3`,
      [linkIds, organizationId, projectId],
    );
    return new Map(found.map((rule) => [rule.linkId, rule]));
  }
}
