export { AuditChainService, type ChainReport } from './chain/audit-chain.service';
export { AuditSubjectViews, subjectIdsOf } from './feed/audit-subject-views';
export { AuditFeedModule } from './audit-feed.module';
