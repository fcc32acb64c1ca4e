import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where each chain begins: the place and hash of the newest event that its retention has taken away. */
@Entity('audit_anchor')
export class AuditAnchorEntity {
  @PrimaryColumn('uuid', { name: 'chain_id', primaryKeyConstraintName: 'pk_audit_anchor' })
  chainId: string;

  @Column('bigint')
  position: string;

  @Column('bytea')
  hash: Buffer;

  /** What is older than this may still be there; it goes with its month. */
  @Column({ type: 'timestamptz', name: 'dropping_before', precision: 3 })
  droppingBefore: Date;
}
