import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** One login and all the refresh tokens that descend from it. */
@Entity('refresh_family')
@Index('ix_refresh_family_developer', ['developerId'])
@Index('ix_refresh_family_expires_at', ['expiresAt'])
export class RefreshFamilyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_refresh_family' })
  id: string;

  @ForeignKey('DeveloperEntity', { name: 'fk_refresh_family_developer', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'developer_id' })
  developerId: string;

  /** Dead once the developer's min-issued-at is later. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** No token of the family outlives it. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;
}
