import { androidRefusal } from '#kernel/builds/android-device';
import { type Device } from '#kernel/builds/device';
import { iosRefusal, mayHaveIos } from '#kernel/builds/ios-device';
import { type Messages } from '#infra/pages/messages/messages';
import { type InstallBuild, translateNotice } from './install-build';

/** Texts about installing a build on the device that opened the page. */
export interface DeviceAdvice {
  /** Why the device will refuse the build, with the code of the warning that says so. Absent when nothing is known against it. */
  readonly refusal?: { readonly title: string; readonly text: string; readonly warning?: string };
  /** What to do beside the button, in order. Absent when there is nothing to do. */
  readonly next?: { readonly title: string; readonly steps: readonly string[] };
}

/** The advice for a device of the build's platform. Each platform has its own function. */
export function deviceAdvice(build: InstallBuild, device: Device, messages: Messages): DeviceAdvice {
  if (build.platform === 'ios') return iosAdvice(build, device, messages);
  return build.platform === 'android' ? androidAdvice(build, device, messages) : {};
}

/** The warnings about packages that are not registered to a verified developer. */
const UNVERIFIED: readonly string[] = ['android_not_registered', 'android_other_certificate'];

function androidAdvice(build: InstallBuild, device: Device, messages: Messages): DeviceAdvice {
  const refusal = androidRefusal(build, device);
  if (!refusal) {
    const { unverified, unverifiedSteps } = messages.install.next;
    const isUnverified = build.warnings.some(({ code }) => UNVERIFIED.includes(code));
    return isUnverified ? { next: { title: unverified, steps: unverifiedSteps } } : {};
  }
  const { androidTooOld, androidTooNew } = messages.install.refusals;
  if (refusal.reason === 'os_too_old')
    return { refusal: { title: androidTooOld.title(refusal.needed), text: androidTooOld.text(refusal.present) } };
  const { message } = translateNotice({ code: refusal.code, message: '' }, messages);
  return { refusal: { title: androidTooNew.title(refusal.present), text: message, warning: refusal.code } };
}

function iosAdvice(build: InstallBuild, device: Device, { install }: Messages): DeviceAdvice {
  const refusal = iosRefusal(build, device);
  if (refusal?.reason === 'ipad_only') return { refusal: install.refusals.ipadOnly };
  if (refusal) {
    const { title, text } = install.refusals.iosTooOld;
    return { refusal: { title: title(refusal.needed), text: text(refusal.present) } };
  }
  if (build.signing === 'enterprise')
    return { next: { title: install.next.trust, steps: trustSteps(device, install) } };
  const needsDeveloperMode = build.signing === 'development' && mayHaveIos(device, '16');
  if (!needsDeveloperMode) return {};
  return { next: { title: install.next.developerMode, steps: install.help.developerMode.steps } };
}

/** The last step is for iOS 18 and later. */
const trustSteps = (device: Device, { help }: Messages['install']): readonly string[] =>
  mayHaveIos(device, '18') ? help.trust.steps : help.trust.steps.slice(0, -1);
