export { CaptchaField, CaptchaProtected } from './captcha-protected';
export { CaptchaModule } from './captcha.module';
