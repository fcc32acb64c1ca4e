import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '#modules/access';
import { DevelopersModule } from '#modules/developers';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { RateLimitModule } from '#infra/rate-limit/rate-limit.module';
import { ExpiredTokensService } from './lifetime/expired-tokens.service';
import { TokensOfRemovedMembersService } from './lifetime/tokens-of-removed-members.service';
import { RevokeAfterResetService } from './lifetime/revoke-after-reset.service';
import { OwnerLabelsService } from './owner-labels.service';
import { ProjectAccessTokenCreatorsService } from './project/project-access-token-creators.service';
import {
  PersonalAccessTokenEntity,
  PersonalAccessTokensRepository,
} from './personal/personal-access-tokens.repository';
import { PersonalAccessTokensController } from './personal/personal-access-tokens.controller';
import { PersonalAccessTokensService } from './personal/personal-access-tokens.service';
import { ProjectAccessTokenEntity, ProjectAccessTokensRepository } from './project/project-access-tokens.repository';
import { ProjectAccessTokensController } from './project/project-access-tokens.controller';
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
  controllers: [PersonalAccessTokensController, ProjectAccessTokensController],
  providers: [
    ExpiredTokensService,
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
