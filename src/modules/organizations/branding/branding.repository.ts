import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type StoredBranding } from './branding';

/** The logo of an organization. Its size and key are in `organization.branding`, too. */
@Entity('organization_logo')
@Unique('uq_organization_logo_key', ['key'])
export class OrganizationLogoEntity {
  @ForeignKey('OrganizationEntity', { name: 'fk_organization_logo_organization', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'pk_organization_logo' })
  organizationId: string;

  @Column('text')
  key: string;

  @Column('bytea')
  png: Buffer;
}

/** The name of an organization and what is stored of its branding. */
export interface NamedBranding {
  readonly name: string;
  readonly branding: StoredBranding | null;
}

@Injectable()
export class BrandingRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Null when the organization does not exist. */
  find(ctx: RequestContext, organizationId: string): Promise<NamedBranding | null> {
    const sql = `SELECT name, branding FROM organization WHERE id = $1`;
    return one<NamedBranding>(this.transactions.manager(ctx), sql, [organizationId]);
  }

  async save(tx: RequestContext, organizationId: string, branding: StoredBranding | null): Promise<void> {
    const sql = `UPDATE organization SET branding = $2 WHERE id = $1`;
    const stored = branding === null ? null : JSON.stringify(branding);
    await rows(this.transactions.manager(tx), sql, [organizationId, stored]);
  }

  /** Replaces the logo. Null deletes it. */
  async saveLogo(
    tx: RequestContext,
    organizationId: string,
    logo: Pick<OrganizationLogoEntity, 'key' | 'png'> | null,
  ): Promise<void> {
    const manager = this.transactions.manager(tx);
    if (logo === null) await manager.delete(OrganizationLogoEntity, { organizationId });
    else await manager.upsert(OrganizationLogoEntity, { organizationId, ...logo }, ['organizationId']);
  }

  async findLogo(ctx: RequestContext, organizationId: string): Promise<Buffer | null> {
    const sql = `SELECT png FROM organization_logo WHERE organization_id = $1`;
    return (await one<{ png: Buffer }>(this.transactions.manager(ctx), sql, [organizationId]))?.png ?? null;
  }

  async findLogoByKey(ctx: RequestContext, key: string): Promise<Buffer | null> {
    const sql = `SELECT png FROM organization_logo WHERE key = $1`;
    return (await one<{ png: Buffer }>(this.transactions.manager(ctx), sql, [key]))?.png ?? null;
  }
}
