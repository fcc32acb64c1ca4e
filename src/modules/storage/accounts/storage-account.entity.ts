import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { ACCOUNT_STATES, type AccountState, type StorePlace } from './storage-account';

/** An organization's own storage account. An organization has at most one. */
@Entity('storage_account')
@Unique('uq_storage_account_organization', ['organizationId'])
@Check('ck_storage_account_provider', `provider IN ('s3', 'azure')`)
@Check('ck_storage_account_state', `state IN (${ACCOUNT_STATES.map((state) => `'${state}'`).join(', ')})`)
@Check('ck_storage_account_receives', `state = 'draining' OR receives = (state = 'active')`)
export class StorageAccountEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_storage_account' })
  id: string;

  @ForeignKey('OrganizationEntity', { name: 'fk_storage_account_organization' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  provider: StorePlace['provider'];

  @Column({ type: 'jsonb' })
  place: StorePlace['place'];

  /** JSON, sealed with `credentialsContext`. */
  @Column({ type: 'bytea', name: 'sealed_credentials' })
  sealedCredentials: Buffer;

  @Column('text')
  state: AccountState;

  @Column('boolean')
  receives: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
