import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Jobs } from '#infra/jobs/jobs';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { BillingModule } from '#modules/billing';
import { DevelopersModule, SignUpPolicyService } from '#modules/developers';
import { BillingMailsService } from './billing-mails/billing-mails.service';
import { BrandingController } from './branding/branding.controller';
import { BrandingRepository, OrganizationLogoEntity } from './branding/branding.repository';
import { BrandingService } from './branding/branding.service';
import { LogosController } from './branding/logos.controller';
import { InvitationAcceptanceController } from './invitations/invitation-acceptance.controller';
import { InvitationMailService } from './invitations/invitation-mail.service';
import { InvitationPreviewController } from './invitations/invitation-preview.controller';
import { InvitationPreviewsService } from './invitations/invitation-previews.service';
import { InvitationsController } from './invitations/invitations.controller';
import { InvitationEntity, InvitationsRepository } from './invitations/invitations.repository';
import { InvitationsService } from './invitations/invitations.service';
import { InvitersService } from './invitations/inviters.service';
import { OwnInvitationsController } from './invitations/own-invitations.controller';
import { OwnInvitationsService } from './invitations/own-invitations.service';
import { MembersController } from './members/members.controller';
import { MembershipEntity, MembersRepository } from './members/members.repository';
import { MembersService } from './members/members.service';
import { OrganizationContactsService } from './members/organization-contacts.service';
import { OrganizationsErasure } from './organizations.account-data';
import { OrganizationsController } from './organizations.controller';
import { OrganizationEntity, OrganizationsRepository } from './organizations.repository';
import { OrganizationsService } from './organizations.service';

@Module({
  imports: [
    TypeOrmModule.forFeature([InvitationEntity, MembershipEntity, OrganizationEntity, OrganizationLogoEntity]),
    BillingModule,
    DevelopersModule,
  ],
  controllers: [
    BrandingController,
    InvitationAcceptanceController,
    InvitationPreviewController,
    InvitationsController,
    LogosController,
    MembersController,
    OrganizationsController,
    OwnInvitationsController,
  ],
  providers: [
    BillingMailsService,
    BrandingRepository,
    BrandingService,
    InvitationMailService,
    InvitationPreviewsService,
    InvitersService,
    InvitationsRepository,
    InvitationsService,
    MembersRepository,
    MembersService,
    OrganizationContactsService,
    OrganizationsErasure,
    OrganizationsRepository,
    OrganizationsService,
    OwnInvitationsService,
  ],
  exports: [
    BrandingService,
    InvitationsService,
    MembersService,
    OrganizationContactsService,
    OrganizationsErasure,
    OrganizationsService,
  ],
})
export class OrganizationsModule implements OnModuleInit {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly signUpPolicy: SignUpPolicyService,
    private readonly outbox: MailOutbox,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.outbox.sendOnlyWhile('invitation', (ctx, { id }) => this.invitations.exists(ctx, id));
    this.signUpPolicy.isInvited.add((ctx, email) => this.invitations.isOpenFor(ctx, email));
    this.jobs.schedule('organizations.prune-invitations', '31 4 * * *', (ctx) => this.invitations.prune(ctx));
  }
}
