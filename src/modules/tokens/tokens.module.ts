import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitModule } from '#infra/rate-limit/rate-limit.module';
import { AccessModule } from '#modules/access';
import { DevelopersModule } from '#modules/developers';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { ExpiredTokensService } from './lifetime/expired-tokens.service';
import { RevokeAfterResetService } from './lifetime/revoke-after-reset.service';
import { TokensOfRemovedMembersService } from './lifetime/tokens-of-removed-members.service';
import { OrganizationTokensController } from './organization/organization-tokens.controller';
import { OrganizationTokensService } from './organization/organization-tokens.service';
import { OwnerLabelsService } from './owner-labels.service';
import { PersonalAccessTokensController } from './personal/personal-access-tokens.controller';
import {
  PersonalAccessTokenEntity,
  PersonalAccessTokensRepository,
} from './personal/personal-access-tokens.repository';
import { PersonalAccessTokensService } from './personal/personal-access-tokens.service';
import { ProjectAccessTokenCreatorsService } from './project/project-access-token-creators.service';
import { ProjectAccessTokensController } from './project/project-access-tokens.controller';
import { ProjectAccessTokenEntity, ProjectAccessTokensRepository } from './project/project-access-tokens.repository';
import { ProjectAccessTokensService } from './project/project-access-tokens.service';
import { TokensErasure } from './tokens.account-data';

@Module({
  imports: [
    TypeOrmModule.forFeature([PersonalAccessTokenEntity, ProjectAccessTokenEntity]),
    AccessModule,
    DevelopersModule,
    OrganizationsModule,
    ProjectsModule,
    RateLimitModule,
  ],
  controllers: [OrganizationTokensController, PersonalAccessTokensController, ProjectAccessTokensController],
  providers: [
    ExpiredTokensService,
    OrganizationTokensService,
    OwnerLabelsService,
    PersonalAccessTokensRepository,
    PersonalAccessTokensService,
    ProjectAccessTokenCreatorsService,
    ProjectAccessTokensRepository,
    ProjectAccessTokensService,
    RevokeAfterResetService,
    TokensErasure,
    TokensOfRemovedMembersService,
  ],
  exports: [OwnerLabelsService, PersonalAccessTokensService, ProjectAccessTokensService, TokensErasure],
})
export class TokensModule {}
