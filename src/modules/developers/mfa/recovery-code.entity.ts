import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A one-time code for whoever has lost their second factor. The row goes when it is used. */
@Entity('recovery_code')
export class RecoveryCodeEntity {
  @ForeignKey('SecondFactorEntity', 'developerId', { name: 'fk_recovery_code_factor', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'developer_id', primaryKeyConstraintName: 'pk_recovery_code' })
  developerId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_recovery_code' })
  digest: Buffer;
}
