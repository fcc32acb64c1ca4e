import { Module } from '@nestjs/common';
import { BillingModule } from '#modules/billing';
import { DevelopersModule } from '#modules/developers';
import { AuditChainRepository } from './chain/audit-chain.repository';
import { AuditChainService } from './chain/audit-chain.service';
import { AuditFacetsRepository } from './facets/audit-facets.repository';
import { AuditFacetsService } from './facets/audit-facets.service';
import { ActorLabelsService } from './feed/actor-labels.service';
import { AuditFeedController } from './feed/audit-feed.controller';
import { AuditFeedRepository } from './feed/audit-feed.repository';
import { AuditFeedService } from './feed/audit-feed.service';
import { AuditRetentionRepository } from './retention/audit-retention.repository';
import { AuditRetentionService } from './retention/audit-retention.service';

@Module({
  imports: [BillingModule, DevelopersModule],
  controllers: [AuditFeedController],
  providers: [
    AuditChainService,
    AuditChainRepository,
    ActorLabelsService,
    AuditFacetsRepository,
    AuditFacetsService,
    AuditFeedRepository,
    AuditFeedService,
    AuditRetentionRepository,
    AuditRetentionService,
  ],
  exports: [AuditChainService],
})
export class AuditFeedModule {}
