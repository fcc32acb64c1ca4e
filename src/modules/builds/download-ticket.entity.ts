import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** A download URL of this service: good for one artifact, half an hour, and three times its size (contract §7). */
@Entity('download_ticket')
@Unique('uq_download_ticket_digest', ['digest'])
@Check('ck_download_ticket_served', 'served_bytes >= 0')
@Index('ix_download_ticket_build', ['buildId'])
@Index('ix_download_ticket_expires_at', ['expiresAt'])
@ForeignKey('ReservationEntity', ['organizationId', 'reservationId'], ['organizationId', 'id'], {
  name: 'fk_download_ticket_reservation',
})
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_download_ticket_build',
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

  @Column('bigint', { name: 'served_bytes' })
  servedBytes: string;

  @Column({ type: 'timestamptz', name: 'settled_at', precision: 3, nullable: true })
  settledAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
