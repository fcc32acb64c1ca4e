import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '#modules/access';
import { LastUsedRepository } from './last-used.repository';
import { PersonalAccessTokenEntity } from './personal-access-token.entity';
import { PersonalAccessTokensController } from './personal-access-tokens.controller';
import { PersonalAccessTokensRepository } from './personal-access-tokens.repository';
import { PersonalAccessTokensService } from './personal-access-tokens.service';
import { ProjectAccessTokenEntity } from './project-access-token.entity';
import { ProjectAccessTokensController } from './project-access-tokens.controller';
import { ProjectAccessTokensRepository } from './project-access-tokens.repository';
import { ProjectAccessTokensService } from './project-access-tokens.service';

@Module({
  imports: [TypeOrmModule.forFeature([PersonalAccessTokenEntity, ProjectAccessTokenEntity]), AccessModule],
  controllers: [PersonalAccessTokensController, ProjectAccessTokensController],
  providers: [
    LastUsedRepository,
    PersonalAccessTokensRepository,
    PersonalAccessTokensService,
    ProjectAccessTokensRepository,
    ProjectAccessTokensService,
  ],
  exports: [PersonalAccessTokensService, ProjectAccessTokensService],
})
export class TokensModule {}
