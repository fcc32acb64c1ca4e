import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Passwords } from '#platform/crypto/passwords';
import { AccountController } from './account.controller';
import { AccountService } from './account.service';
import { EmailChangeController } from './email-change.controller';
import { EmailChangeService } from './email-change.service';
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
  controllers: [
    AccountController,
    DevelopersController,
    EmailChangeController,
    EmailVerificationController,
    PasswordResetController,
  ],
  providers: [
    AccountService,
    EmailChangeService,
    DeveloperLinksService,
    DeveloperMails,
    DevelopersRepository,
    DevelopersService,
    Passwords,
  ],
  exports: [DevelopersService],
})
export class DevelopersModule {}
