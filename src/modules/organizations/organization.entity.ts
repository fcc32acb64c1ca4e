import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The billing and membership boundary: every build, tester and project lives inside one. */
@Entity('organization')
export class OrganizationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_organization' })
  id: string;

  @Column('text')
  name: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
