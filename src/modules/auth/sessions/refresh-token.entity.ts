import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** A single-use refresh token. Used ones are kept until the family ends: without them reuse could not be told. */
@Entity('refresh_token')
@Unique('uq_refresh_token_generation', ['familyId', 'generation'])
export class RefreshTokenEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_refresh_token' })
  digest: Buffer;

  @ForeignKey('RefreshFamilyEntity', { name: 'fk_refresh_token_family', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'family_id' })
  familyId: string;

  @Column('integer')
  generation: number;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'used_at', precision: 3, nullable: true })
  usedAt: Date | null;
}
