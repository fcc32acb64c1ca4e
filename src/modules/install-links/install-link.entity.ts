import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'id'];

/**
 * The token of an install link, looked up by its digest. A build and a channel have one link each, whose token is also kept
 * encrypted, because the API returns its URL on every read. A tester has one link per mail.
 */
@Entity('invite')
@Unique('uq_invite_digest', ['digest'])
@Unique('uq_invite_project', ['organizationId', 'projectId', 'id'])
@Index('uq_invite_build', ['buildId'], { unique: true, where: 'tester_id IS NULL' })
@Index('uq_invite_channel', ['channelId'], { unique: true, where: 'tester_id IS NULL' })
@Index('ix_invite_build', ['buildId'], { where: 'build_id IS NOT NULL' })
@Index('ix_invite_channel', ['channelId'], { where: 'channel_id IS NOT NULL' })
@Index('ix_invite_tester', ['testerId'], { where: 'tester_id IS NOT NULL' })
@Index('ix_invite_last_used', { synchronize: false })
@Check('ck_invite_opens', 'tester_id IS NOT NULL OR num_nonnulls(build_id, channel_id) = 1')
@Check('ck_invite_sealed', '(tester_id IS NULL) = (sealed_token IS NOT NULL)')
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], OF_THE_PROJECT, {
  name: 'fk_invite_build',
  onDelete: 'CASCADE',
})
@ForeignKey('ChannelEntity', ['organizationId', 'projectId', 'channelId'], OF_THE_PROJECT, {
  name: 'fk_invite_channel',
  onDelete: 'CASCADE',
})
@ForeignKey('TesterEntity', ['organizationId', 'projectId', 'testerId'], OF_THE_PROJECT, {
  name: 'fk_invite_tester',
  onDelete: 'CASCADE',
})
export class InstallLinkEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_invite' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'build_id', nullable: true })
  buildId: string | null;

  @Column('uuid', { name: 'channel_id', nullable: true })
  channelId: string | null;

  @Column('uuid', { name: 'tester_id', nullable: true })
  testerId: string | null;

  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'bytea', name: 'sealed_token', nullable: true })
  sealedToken: Buffer | null;

  /** When the link made its one change, null when it has not. */
  @Column({ type: 'timestamptz', name: 'spent_at', precision: 3, nullable: true })
  usedAt: Date | null;

  /** When a tester's link was last opened, exact to a day; null before. */
  @Column({ type: 'timestamptz', name: 'last_opened_at', precision: 3, nullable: true })
  lastOpenedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
