import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CaptchaConfig } from '#infra/config/config';
import { Secrets } from '#infra/crypto/secrets';
import { AltchaCaptcha } from './altcha-captcha';
import { CaptchaProvider } from './captcha-provider';
import { CaptchaSolutionEntity } from './captcha-solution.entity';
import { CaptchaController } from './captcha.controller';
import { CaptchaRepository } from './captcha.repository';
import { CaptchaService } from './captcha.service';
import { NoCaptcha } from './no-captcha';

/** Keeping scripts from what anybody may do: `@CaptchaProtected()` on a route, `CaptchaService.protect` for a page. */
@Module({
  imports: [TypeOrmModule.forFeature([CaptchaSolutionEntity])],
  controllers: [CaptchaController],
  providers: [
    {
      provide: CaptchaProvider,
      inject: [CaptchaConfig, Secrets],
      useFactory: ({ provider }: CaptchaConfig, { masterKeys }: Secrets): CaptchaProvider =>
        provider === 'altcha' ? new AltchaCaptcha(masterKeys) : new NoCaptcha(),
    },
    CaptchaRepository,
    CaptchaService,
  ],
  exports: [CaptchaService],
})
export class CaptchaModule {}
