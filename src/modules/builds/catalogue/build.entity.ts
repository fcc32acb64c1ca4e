import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type CountedRows } from '#infra/row-counts/counted-rows';
import { type Registration } from '../registrations/registration';
import { type ArtifactRecord, type BuildWarning, type StoredDetails } from './build';
import { IN_TRASH } from './live-builds';

/** One uploaded artifact. The row is inserted after the artifact is durable in the store. */
@Entity('build')
@Unique('uq_build_project', ['organizationId', 'projectId', 'id'])
@Unique('uq_build_blob', ['storageAccount', 'blobKey'])
@Check('ck_build_platform', `platform IN (${PLATFORMS.map((platform) => `'${platform}'`).join(', ')})`)
@Check('ck_build_size', 'size_bytes > 0')
@Check('ck_build_downloads', 'downloads_unique_testers BETWEEN 0 AND downloads_total')
@Index('ix_build_project', ['projectId', 'id'])
@Index('ix_build_organization', ['organizationId', 'id'])
@Index('ix_build_sha256', ['projectId', 'sha256'])
@Index('ix_build_platform', ['projectId', 'platform', 'id'])
@Index('ix_build_version', ['projectId', 'version', 'id'])
@Index('ix_build_branch', ['projectId', 'branch', 'id'])
@Index('ix_build_commit', { synchronize: false })
@Index('ix_build_android_package', { synchronize: false })
@Index('ix_build_signing_end', { synchronize: false })
@Index('ix_build_trash', ['projectId', 'id'], { where: IN_TRASH })
@Index('ix_build_deleted_at', ['deletedAt'], { where: IN_TRASH })
@Index('ix_build_own_storage', ['organizationId', 'id'], { where: `storage_account <> 'hosted'` })
@Index('ix_build_expires_at', ['projectId', 'id'], { where: 'expires_at IS NOT NULL' })
@Index('ix_build_with_icon', ['projectId', 'id'], { where: 'icon_media_type IS NOT NULL' })
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], { name: 'fk_build_project' })
export class BuildEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_build' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  platform: Platform;

  @Column('text')
  version: string;

  @Column('text', { name: 'build_number', nullable: true })
  buildNumber: string | null;

  @Column('text', { nullable: true })
  notes: string | null;

  @Column({ type: 'timestamptz', name: 'uploaded_at', precision: 3 })
  uploadedAt: Date;

  @Column('text', { name: 'uploaded_by_kind' })
  uploadedByKind: string;

  @Column('uuid', { name: 'uploaded_by_id', nullable: true })
  uploadedById: string | null;

  @Column('text', { name: 'file_name' })
  fileName: string;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;

  @Column({ type: 'bytea' })
  sha256: Buffer;

  /** For the updaters of desktop apps. Null for the packages of phones, and for builds of earlier releases. */
  @Column({ type: 'bytea', nullable: true })
  sha512: Buffer | null;

  @Column('text', { name: 'storage_account' })
  storageAccount: string;

  @Column('text', { name: 'blob_key' })
  blobKey: string;

  /** The artifact's metadata. */
  @Column({ type: 'jsonb' })
  artifact: ArtifactRecord;

  @Column('text', { name: 'icon_media_type', nullable: true })
  iconMediaType: string | null;

  /** Warnings from the comparison with earlier builds, at the upload. Other warnings are computed when the build is read. */
  @Column({ type: 'jsonb', name: 'upload_warnings' })
  uploadWarnings: BuildWarning[];

  /** Whether the package is registered to a verified developer of Android. Null when it was not checked. */
  @Column({ type: 'jsonb', name: 'android_registration', nullable: true })
  androidRegistration: Registration | null;

  @Column('text', { nullable: true })
  branch: string | null;

  @Column('text', { nullable: true })
  commit: string | null;

  @Column('text', { name: 'ci_url', nullable: true })
  ciUrl: string | null;

  @Column('integer', { name: 'pull_request_number', nullable: true })
  pullRequestNumber: number | null;

  @Column('text', { name: 'pull_request_url', nullable: true })
  pullRequestUrl: string | null;

  @Column({ type: 'timestamptz', name: 'original_uploaded_at', precision: 3, nullable: true })
  originalUploadedAt: Date | null;

  @Column('integer', { name: 'downloads_total', default: 0 })
  downloadsTotal: number;

  @Column('integer', { name: 'downloads_unique_testers', default: 0 })
  downloadsUniqueTesters: number;

  /** When it was moved to the trash. Null: it exists. Statements about builds have the condition `LIVE`, unless they are about storage. */
  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;

  /** Whether neither retention nor a deletion of several builds deletes it. */
  @Column('boolean', { default: false })
  pinned: boolean;

  /** When retention deletes it. Null: no rule of the project lets it go. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;
}

export const BUILDS_OF_PROJECT: CountedRows = {
  table: 'build',
  column: 'project_id',
  parent: 'project',
  except: IN_TRASH,
};

/** The long facts of an artifact, which lists do not read. Builds of earlier releases and files without metadata have none. */
@Entity('build_detail')
@Index('ix_build_detail_devices', { synchronize: false })
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_build_detail_build',
  onDelete: 'CASCADE',
})
export class BuildDetailEntity {
  @PrimaryColumn('uuid', { name: 'build_id', primaryKeyConstraintName: 'pk_build_detail' })
  buildId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column({ type: 'jsonb' })
  details: StoredDetails;
}

/** The icon of a build's app: a PNG or WebP of at most 1 MiB. */
@Entity('build_icon')
export class BuildIconEntity {
  @ForeignKey('BuildEntity', { name: 'fk_build_icon_build', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'build_id', primaryKeyConstraintName: 'pk_build_icon' })
  buildId: string;

  @Column({ type: 'bytea' })
  data: Buffer;
}

/** The bundle id of a project's first build of a platform. Later builds must have the same one. */
@Entity('pinned_bundle_id')
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_pinned_bundle_id_project',
  onDelete: 'CASCADE',
})
export class PinnedBundleIdEntity {
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @PrimaryColumn('uuid', { name: 'project_id', primaryKeyConstraintName: 'pk_pinned_bundle_id' })
  projectId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_pinned_bundle_id' })
  platform: Platform;

  @Column('text', { name: 'bundle_id' })
  bundleId: string;
}
