import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** The ticket of a download URL. It is valid for one artifact, for half an hour, and for three times the artifact's size. */
@Entity('download_ticket')
@Unique('uq_download_ticket_digest', ['digest'])
@Check('ck_download_ticket_served', 'served_bytes >= 0')
@Index('ix_download_ticket_client', ['clientKey', 'expiresAt'], { where: 'client_key IS NOT NULL' })
@Index('ix_download_ticket_build', ['buildId'])
@Index('ix_download_ticket_expires_at', ['expiresAt'])
@Index('ix_download_ticket_reservation', ['reservationId'])
@ForeignKey('ReservationEntity', ['organizationId', 'reservationId'], ['organizationId', 'id'], {
  name: 'fk_download_ticket_reservation',
})
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_download_ticket_build',
  onDelete: 'CASCADE',
})
@Index('ix_download_ticket_invite', ['inviteId'], { where: 'invite_id IS NOT NULL' })
@ForeignKey('InstallLinkEntity', ['organizationId', 'projectId', 'inviteId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_download_ticket_invite',
  onDelete: 'CASCADE',
})
export class DownloadTicketEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_download_ticket' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'build_id' })
  buildId: string;

  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column('uuid', { name: 'reservation_id' })
  reservationId: string;

  @Column('text', { name: 'minted_by_kind', default: 'anonymous' })
  mintedByKind: string;

  @Column('uuid', { name: 'minted_by_id', nullable: true })
  mintedById: string | null;

  /** The install link that minted the ticket. The ticket is deleted with it. */
  @Column('uuid', { name: 'invite_id', nullable: true })
  inviteId: string | null;

  @Column('uuid', { name: 'tester_id', nullable: true })
  testerId: string | null;

  @Column('uuid', { name: 'channel_id', nullable: true })
  channelId: string | null;

  /** Digest of the install link or tester, the build and the client address. Null when an account minted the ticket. */
  @Column({ type: 'bytea', name: 'client_key', nullable: true })
  clientKey: Buffer | null;

  /** The encrypted token, to return the URL again to the same client. Null when an account minted the ticket. */
  @Column({ type: 'bytea', name: 'sealed_token', nullable: true })
  sealedToken: Buffer | null;

  /** Whether this service sends the bytes although the store could, so that the delivery is known. */
  @Column('boolean', { default: false })
  streamed: boolean;

  /** The sum of what responses were about to send. A redirect counts as the whole artifact. */
  @Column('bigint', { name: 'served_bytes' })
  servedBytes: string;

  @Column({ type: 'timestamptz', name: 'settled_at', precision: 3, nullable: true })
  settledAt: Date | null;

  /** When a response to a request without a range had sent the whole artifact. Null for accounts, and when the store sends the bytes. */
  @Column({ type: 'timestamptz', name: 'delivered_at', precision: 3, nullable: true })
  deliveredAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
