import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant. Members, billing and all projects belong to exactly one organization. */
@Entity('organization')
export class OrganizationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_organization' })
  id: string;

  @Column('text')
  name: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
