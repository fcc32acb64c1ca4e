import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/**
 * A developer or project that exceeded its rate limit at least a hundred times within one hour. It has no foreign keys, so that
 * operators see it after the account is deleted.
 */
@Entity('account_flag')
@Unique('uq_account_flag_hour', ['principal', 'reason', 'hourStart'])
export class AccountFlagEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_account_flag' })
  id: string;

  /** `developer:<id>` or `project:<id>`; in rows of earlier releases also `pat:<id>` or `project-token:<id>`. */
  @Column('text')
  principal: string;

  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('text')
  reason: string;

  @Column({ type: 'timestamptz', name: 'hour_start', precision: 3 })
  hourStart: Date;

  @Column({ type: 'timestamptz', name: 'first_seen_at', precision: 3 })
  firstSeenAt: Date;

  @Column({ type: 'timestamptz', name: 'last_seen_at', precision: 3 })
  lastSeenAt: Date;

  /** Number of rejected requests, in multiples of a hundred. */
  @Column('integer')
  hits: number;
}
