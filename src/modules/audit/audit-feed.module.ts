import { Module } from '@nestjs/common';
import { BillingModule } from '#modules/billing';
import { DevelopersModule } from '#modules/developers';
import { AuditChainRepository } from './audit-chain.repository';
import { AuditChain } from './audit-chain.service';
import { AuditFeedController } from './audit-feed.controller';
import { AuditFeedRepository } from './audit-feed.repository';
import { AuditFeedService } from './audit-feed.service';
import { AuditRetentionRepository } from './audit-retention.repository';
import { AuditRetentionService } from './audit-retention.service';

/** Reading the audit feed, keeping it as long as the plan says, and proving that nobody has touched it. */
@Module({
  imports: [BillingModule, DevelopersModule],
  controllers: [AuditFeedController],
  providers: [
    AuditChain,
    AuditChainRepository,
    AuditFeedRepository,
    AuditFeedService,
    AuditRetentionRepository,
    AuditRetentionService,
  ],
  exports: [AuditChain],
})
export class AuditFeedModule {}
