import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The icon of a build's app: a real PNG or WebP, at most 1 MiB. */
@Entity('build_icon')
export class BuildIconEntity {
  @ForeignKey('BuildEntity', { name: 'fk_build_icon_build', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'build_id', primaryKeyConstraintName: 'pk_build_icon' })
  buildId: string;

  @Column({ type: 'bytea' })
  data: Buffer;
}
