import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CaptchaController } from './captcha.controller';
import { CaptchaRepository, CaptchaSolutionEntity } from './captcha.repository';
import { CaptchaService } from './captcha.service';

/** Protects public routes from scripts: `@CaptchaProtected()` on a route, `CaptchaService.requireSolution` where a route may need it. */
@Module({
  imports: [TypeOrmModule.forFeature([CaptchaSolutionEntity])],
  controllers: [CaptchaController],
  providers: [CaptchaRepository, CaptchaService],
  exports: [CaptchaService],
})
export class CaptchaModule {}
