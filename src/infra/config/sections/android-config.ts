import { IsIn, IsString, IsUrl, ValidateIf } from 'class-validator';
import { Variable } from '../variable';

/** Whether Google is asked if the packages of Android are registered to a verified developer. */
export class AndroidConfig {
  @Variable('ANDROID_VERIFICATION', {
    default: 'off',
    describe:
      '"on": asks Google\'s Android Developer Status API whether the packages that testers install are registered to a verified developer (docs/android-verification.md). It tells Google the name and certificate of each package.',
  })
  @IsIn(['on', 'off'])
  verification: 'on' | 'off';

  @Variable('ANDROID_VERIFICATION_API_KEY', {
    secret: true,
    describe: 'API key of a Google Cloud project that may use the Android Developer Status API. Required with "on".',
  })
  @ValidateIf(({ verification }: AndroidConfig) => verification === 'on')
  @IsString()
  apiKey: string | undefined;

  @Variable('ANDROID_VERIFICATION_URL', {
    default: 'https://androiddeveloperidstatus.googleapis.com',
    describe: 'URL of the Android Developer Status API, or of a proxy for it.',
  })
  @IsUrl({ protocols: ['http', 'https'], require_tld: false, require_protocol: true })
  url: string;
}
