export { AuditChain, type BrokenChain, type ChainReport } from './audit-chain.service';
export { AuditFeedModule } from './audit-feed.module';
