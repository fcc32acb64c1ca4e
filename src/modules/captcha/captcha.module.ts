import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CaptchaSolutionEntity, CaptchaRepository } from './captcha.repository';
import { CaptchaController } from './captcha.controller';
import { CaptchaService } from './captcha.service';

/** Protects public routes from scripts: `@CaptchaProtected()` on a route, `CaptchaService.requireSolution` where a route may need it. */
@Module({
  imports: [TypeOrmModule.forFeature([CaptchaSolutionEntity])],
  controllers: [CaptchaController],
  providers: [CaptchaRepository, CaptchaService],
  exports: [CaptchaService],
})
export class CaptchaModule {}
