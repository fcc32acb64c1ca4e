import { type Messages } from '#infra/pages/messages/messages';
import { type Device } from '#kernel/builds/device';
import { type InstallBuild } from './install-build';

export interface HelpTopic {
  readonly title: string;
  readonly lead: string;
  readonly items: readonly string[];
  /** The page's script opens the first topic when an installation does not seem to start. */
  readonly first: boolean;
}

/** Help for installing on the device that the build is for. Shown on computers too, for a reader who installs on a phone. */
export function helpTopics(build: InstallBuild, device: Device, messages: Messages): readonly HelpTopic[] {
  const readerIsOther =
    build.platform === 'ios' ? device.os === 'android' : device.os === 'ios' || device.os === 'ipados';
  if (readerIsOther) return [];
  if (build.platform === 'ios') return iosHelp(build, messages);
  return build.platform === 'android' ? androidHelp(messages) : [];
}

/** iOS shows one message for many causes. The most frequent cause comes first. */
function iosHelp({ signing, minimumOsVersion }: InstallBuild, messages: Messages): readonly HelpTopic[] {
  const { unable, trust, developerMode } = messages.install.help;
  const enterprise = signing === 'enterprise';
  const causes = [
    ...(enterprise ? [] : [unable.notRegistered]),
    unable.signature,
    minimumOsVersion ? unable.tooOldKnown(minimumOsVersion) : unable.tooOld,
    unable.storage,
    unable.cellular,
    unable.broken,
  ];
  const known = signing !== null && signing !== 'unknown';
  return [
    { title: unable.title, lead: unable.lead, items: causes, first: true },
    ...(enterprise || !known ? [{ title: trust.title, lead: trust.lead, items: trust.steps, first: false }] : []),
    ...(enterprise
      ? []
      : [{ title: developerMode.title, lead: developerMode.lead, items: developerMode.steps, first: false }]),
  ];
}

function androidHelp(messages: Messages): readonly HelpTopic[] {
  const { unknownSources, apkFails } = messages.install.help;
  return [
    { title: unknownSources.title, lead: unknownSources.lead, items: unknownSources.steps, first: true },
    { title: apkFails.title, lead: apkFails.lead, items: apkFails.reasons, first: false },
  ];
}
