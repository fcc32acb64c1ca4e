import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Passwords } from '#platform/crypto/passwords';
import { DeveloperLinkEntity } from './developer-link.entity';
import { DeveloperLinksService } from './developer-links.service';
import { DeveloperMails } from './developer-mails';
import { DeveloperEntity } from './developer.entity';
import { DevelopersController } from './developers.controller';
import { DevelopersRepository } from './developers.repository';
import { DevelopersService } from './developers.service';
import { EmailVerificationController } from './email-verification.controller';
import { PasswordResetController } from './password-reset.controller';

@Module({
  imports: [TypeOrmModule.forFeature([DeveloperEntity, DeveloperLinkEntity])],
  controllers: [DevelopersController, EmailVerificationController, PasswordResetController],
  providers: [DeveloperLinksService, DeveloperMails, DevelopersRepository, DevelopersService, Passwords],
  exports: [DevelopersService],
})
export class DevelopersModule {}
