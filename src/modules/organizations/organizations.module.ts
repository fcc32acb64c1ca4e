import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '#modules/billing';
import { DevelopersModule } from '#modules/developers';
import { Jobs } from '#platform/jobs/jobs';
import { MailOutbox } from '#platform/mail/mail-outbox';
import { BudgetAlerts } from './budget-alerts';
import { InvitationAcceptanceController } from './invitation-acceptance.controller';
import { InvitationMail } from './invitation-mail';
import { InvitationEntity } from './invitation.entity';
import { InvitationsController } from './invitations.controller';
import { InvitationsRepository } from './invitations.repository';
import { InvitationsService } from './invitations.service';
import { MembersController } from './members.controller';
import { MembersRepository } from './members.repository';
import { MembersService } from './members.service';
import { MembershipEntity } from './membership.entity';
import { OrganizationEntity } from './organization.entity';
import { OrganizationsController } from './organizations.controller';
import { OrganizationsRepository } from './organizations.repository';
import { OrganizationsService } from './organizations.service';

@Module({
  imports: [
    TypeOrmModule.forFeature([InvitationEntity, MembershipEntity, OrganizationEntity]),
    BillingModule,
    DevelopersModule,
  ],
  controllers: [InvitationAcceptanceController, InvitationsController, MembersController, OrganizationsController],
  providers: [
    BudgetAlerts,
    InvitationMail,
    InvitationsRepository,
    InvitationsService,
    MembersRepository,
    MembersService,
    OrganizationsRepository,
    OrganizationsService,
  ],
  exports: [MembersService, OrganizationsService],
})
export class OrganizationsModule implements OnModuleInit {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly outbox: MailOutbox,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.outbox.sendOnlyWhile('invitation', (ctx, id) => this.invitations.exists(ctx, id));
    this.jobs.schedule('organizations.prune-invitations', '31 4 * * *', (ctx) => this.invitations.prune(ctx));
  }
}
