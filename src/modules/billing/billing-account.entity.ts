import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type Plan } from './plan';

/** What an organization pays with. */
@Entity('billing_account')
@Check('ck_billing_account_plan', `plan IN ('team', 'business')`)
export class BillingAccountEntity {
  @ForeignKey('OrganizationEntity', { name: 'fk_billing_account_organization', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'pk_billing_account' })
  organizationId: string;

  @Column('text')
  plan: Plan;
}
