import { CaptchaProvider } from './captcha-provider';

/** `CAPTCHA_PROVIDER=none`: asks for nothing, so that no answer is one. */
export class NoCaptcha extends CaptchaProvider {
  challenge(): Promise<null> {
    return Promise.resolve(null);
  }

  verify(): Promise<null> {
    return Promise.resolve(null);
  }
}
