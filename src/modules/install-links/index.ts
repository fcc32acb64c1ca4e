export {
  type InstallLink,
  InstallLinksService,
  linkUrlsOf,
  type LinkUrls,
  NO_URLS,
  type TesterInstallLink,
} from './install-links.service';
export { INSTALL_LINKS_FILES } from './install-links.account-data';
export { InstallLinksModule } from './install-links.module';
export { type RuledToken, type SealedToken } from './install-links.repository';
export { hasRecentLink, RECENT_LINK_DAYS } from './recent-links';
export { type GrantHolder, GrantHolders } from './rules/grant-holders';
export { type SealedGrant } from './rules/link-grants';
export { type AccessStep, LinkRulesService, type LinkStep } from './rules/link-rules.service';
export { type LinkCounts, LinkCountViews, MAX_LINK_COUNT } from './links/link-counts';
export { LinksService } from './links/links.service';
export { type LinkRule, normalizedPassword } from './rules/link-rule';
