import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where each chain ends: the place and hash of its newest event. */
@Entity('audit_chain')
export class AuditChainEntity {
  /** The organization's; the nil uuid for the events of accounts, which belong to no organization. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_audit_chain' })
  id: string;

  @Column('bigint')
  position: string;

  @Column('bytea')
  hash: Buffer;
}
