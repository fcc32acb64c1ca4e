export { AuditChain, type ChainReport } from './audit-chain.service';
export { AuditFeedModule } from './audit-feed.module';
