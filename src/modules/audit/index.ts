export { AuditChainService, type ChainReport } from './chain/audit-chain.service';
export { AuditFeedModule } from './audit-feed.module';
