import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '#modules/access';
import { DevelopersModule } from '#modules/developers';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { RateLimitModule } from '#infra/rate-limit/rate-limit.module';
import {
  ExpiredTokensService,
  RevokeAfterResetService,
  TokensOfRemovedMembersService,
} from './lifetime/token-revocations.service';
import { LastUsedRepository } from './lifetime/last-used.repository';
import { OwnerLabelsService, ProjectAccessTokenCreatorsService } from './owner-labels.service';
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
    LastUsedRepository,
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
