import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '#modules/access';
import { ProjectAccessTokenEntity } from './project-access-token.entity';
import { ProjectAccessTokensController } from './project-access-tokens.controller';
import { ProjectAccessTokensRepository } from './project-access-tokens.repository';
import { ProjectAccessTokensService } from './project-access-tokens.service';

@Module({
  imports: [TypeOrmModule.forFeature([ProjectAccessTokenEntity]), AccessModule],
  controllers: [ProjectAccessTokensController],
  providers: [ProjectAccessTokensRepository, ProjectAccessTokensService],
  exports: [ProjectAccessTokensService],
})
export class TokensModule {}
