import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, MoreThan, PrimaryColumn, type Repository, Unique } from 'typeorm';
import { type OrganizationRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { emailKeyOf } from '#kernel/text/email-address';
import { findPage } from '#infra/database/find-page';
import { deleteOlder, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** An open invitation. The row is deleted when it is accepted, declined, withdrawn or replaced, or a week after it expired. */
@Entity('organization_invitation')
@Unique('uq_organization_invitation_digest', ['digest'])
@Unique('uq_organization_invitation_email', ['organizationId', 'emailKey'])
@Check('ck_organization_invitation_roles', 'cardinality(roles) > 0')
@Index('ix_organization_invitation_organization', ['organizationId', 'id'])
@Index('ix_organization_invitation_email_key', ['emailKey', 'id'])
@Index('ix_organization_invitation_expires_at', ['expiresAt'])
export class InvitationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_organization_invitation' })
  id: string;

  @ForeignKey('OrganizationEntity', { name: 'fk_organization_invitation_organization', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  email: string;

  @Column('text', { name: 'email_key' })
  emailKey: string;

  @Column('text', { array: true })
  roles: OrganizationRole[];

  @Column({ type: 'bytea' })
  digest: Buffer;

  @ForeignKey('DeveloperEntity', { name: 'fk_organization_invitation_inviter', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'invited_by', nullable: true })
  invitedBy: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

/** An invitation with the name of its organization, and an inviter who is ADMIN. */
type InvitationToAddress = Pick<InvitationEntity, 'id' | 'organizationId' | 'roles' | 'createdAt' | 'expiresAt'> & {
  readonly organizationName: string;
  readonly invitedBy: string;
};

@Injectable()
export class InvitationsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, invitation: InvitationEntity): Promise<void> {
    await this.invitations(ctx).insert(invitation);
  }

  exists(ctx: RequestContext, id: string): Promise<boolean> {
    return this.invitations(ctx).existsBy({ id });
  }

  /** Whether an organization invited the address and the invitation has not expired. */
  isOpenFor(ctx: RequestContext, email: string): Promise<boolean> {
    return this.invitations(ctx).existsBy({ emailKey: emailKeyOf(email), expiresAt: MoreThan(ctx.clock.now()) });
  }

  /** The invitations that have not expired, newest first. */
  async list(ctx: RequestContext, organizationId: string, page: PageRequest): Promise<Page<InvitationEntity>> {
    const where = { organizationId, expiresAt: MoreThan(ctx.clock.now()) };
    return findPage(this.invitations(ctx), where, page, `invitations|${organizationId}`);
  }

  /** The invitations to an address that can be accepted now, newest first: they have not expired, and their inviter is ADMIN. */
  async listFor(
    ctx: RequestContext,
    emailKey: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<InvitationToAddress>> {
    const list: ListName = `own-invitations|${emailKey}`;
    const found = await rows<InvitationToAddress>(
      this.transactions.manager(ctx),
      `SELECT i.id, i.organization_id AS "organizationId", o.name AS "organizationName", i.roles,
              i.invited_by AS "invitedBy", i.created_at AS "createdAt", i.expires_at AS "expiresAt"
       FROM organization_invitation i
       JOIN organization o ON o.id = i.organization_id
       JOIN membership m ON m.organization_id = i.organization_id AND m.developer_id = i.invited_by AND 'ADMIN' = ANY (m.roles)
       WHERE i.email_key = $1 AND i.expires_at > $2 AND ($3::uuid IS NULL OR i.id < $3) ORDER BY i.id DESC LIMIT $4`,
      [emailKey, ctx.clock.now(), decodeCursor(cursor, list), limit + 1],
    );
    return pageOf(found, limit, list);
  }

  /** False when no invitation matches. Of concurrent calls for one invitation, exactly one returns true. */
  async delete(
    ctx: RequestContext,
    where: Partial<Pick<InvitationEntity, 'organizationId' | 'id' | 'emailKey'>>,
  ): Promise<boolean> {
    const { affected } = await this.invitations(ctx).delete(where);
    return (affected ?? 0) > 0;
  }

  /** Deletes the open invitations that a developer sent, and returns their ids. */
  async deleteOfInviter(tx: RequestContext, organizationId: string, invitedBy: string): Promise<readonly string[]> {
    const deleted = await rows<{ id: string }>(
      this.transactions.manager(tx),
      `DELETE FROM organization_invitation WHERE organization_id = $1 AND invited_by = $2 AND expires_at > $3 RETURNING id`,
      [organizationId, invitedBy, tx.clock.now()],
    );
    return deleted.map(({ id }) => id);
  }

  /** The invitation with the digest of a token, or with an id and an address; null when there is none or it has expired. */
  async findValid(
    ctx: RequestContext,
    where: Pick<InvitationEntity, 'digest'> | Pick<InvitationEntity, 'id' | 'emailKey'>,
  ): Promise<InvitationEntity | null> {
    const invitation = await this.invitations(ctx).findOneBy(where);
    return invitation && invitation.expiresAt > ctx.clock.now() ? invitation : null;
  }

  /** Deletes invitations a week after they expired. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'organization_invitation', {
      column: 'expires_at',
      age: `interval '7 days'`,
    });
  }

  private invitations(ctx: RequestContext): Repository<InvitationEntity> {
    return this.transactions.manager(ctx).getRepository(InvitationEntity);
  }
}
