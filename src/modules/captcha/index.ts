export { CaptchaField, CaptchaProtected } from './captcha-protected';
export { CaptchaModule } from './captcha.module';
export { CaptchaService } from './captcha.service';
