import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '#modules/access';
import { DevelopersModule } from '#modules/developers';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { RateLimitModule } from '#infra/rate-limit/rate-limit.module';
import { ExpiredTokensService } from './expired-tokens.service';
import { LastUsedRepository } from './last-used.repository';
import { OwnerLabelsService } from './owner-labels.service';
import { PersonalAccessTokenEntity } from './personal/personal-access-token.entity';
import { PersonalAccessTokensController } from './personal/personal-access-tokens.controller';
import { PersonalAccessTokensRepository } from './personal/personal-access-tokens.repository';
import { PersonalAccessTokensService } from './personal/personal-access-tokens.service';
import { RevokeAfterResetService } from './personal/revoke-after-reset.service';
import { ProjectAccessTokenEntity } from './project/project-access-token.entity';
import { ProjectAccessTokenCreatorsService } from './project/project-access-token-creators.service';
import { ProjectAccessTokensController } from './project/project-access-tokens.controller';
import { ProjectAccessTokensRepository } from './project/project-access-tokens.repository';
import { ProjectAccessTokensService } from './project/project-access-tokens.service';
import { TokensOfRemovedMembersService } from './project/tokens-of-removed-members.service';
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
