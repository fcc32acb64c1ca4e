import { type Language } from '#kernel/text/language';
import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** An app that an organization distributes. */
@Entity('project')
@Unique('uq_project_organization', ['organizationId', 'id'])
@Unique('uq_project_name', ['organizationId', 'name'])
@Check('ck_project_language', `language IN ('en', 'de')`)
export class ProjectEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_project' })
  id: string;

  @ForeignKey('OrganizationEntity', { name: 'fk_project_organization' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  name: string;

  @Column('boolean', { name: 'allow_any_bundle_id' })
  allowAnyBundleId: boolean;

  /** The language of the mails to testers. */
  @Column('text', { default: 'en' })
  language: Language;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
