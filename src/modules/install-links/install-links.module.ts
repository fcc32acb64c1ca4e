import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstallLinkEntity, InstallLinksRepository } from './install-links.repository';
import { InstallLinksService } from './install-links.service';
import { LinksController } from './links/links.controller';
import { LinksRepository } from './links/links.repository';
import { LinksService } from './links/links.service';
import { LinkAcceptanceEntity, LinkAcceptancesRepository } from './rules/link-acceptances.repository';
import { LinkGrants } from './rules/link-grants';
import { LinkRuleChangesService } from './rules/link-rule-changes.service';
import { LinkRuleEntity, LinkRulesRepository, LinkTermsEntity } from './rules/link-rules.repository';
import { LinkRulesService } from './rules/link-rules.service';

@Module({
  imports: [TypeOrmModule.forFeature([InstallLinkEntity, LinkAcceptanceEntity, LinkRuleEntity, LinkTermsEntity])],
  controllers: [LinksController],
  providers: [
    InstallLinksRepository,
    InstallLinksService,
    LinkAcceptancesRepository,
    LinkGrants,
    LinkRuleChangesService,
    LinkRulesRepository,
    LinkRulesService,
    LinksRepository,
    LinksService,
  ],
  exports: [InstallLinksService, LinkRulesService, LinksService],
})
export class InstallLinksModule {}
