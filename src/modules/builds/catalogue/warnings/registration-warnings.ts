import { type Registration } from '../../registrations/registration';
import { advice, type Finding } from './finding';

const WHERE = 'Register it in the Android Developer Console or the Play Console (docs/android-verification.md).';

/** The warnings about a package that is not registered to a verified developer. Certified devices in some countries refuse it. */
export function registrationFindings(registration: Registration | null): Finding[] {
  switch (registration?.state) {
    case 'not_registered':
      return [
        advice(
          'android_not_registered',
          `The package is not registered to a verified developer, so Android refuses it in some countries, or makes people wait a day. ${WHERE}`,
        ),
      ];
    case 'other_certificate':
      return [
        advice(
          'android_other_certificate',
          `The package name is registered with another certificate, so Android refuses this build in some countries. Sign it with the registered key, or add this certificate. ${WHERE}`,
        ),
      ];
    default:
      return [];
  }
}
