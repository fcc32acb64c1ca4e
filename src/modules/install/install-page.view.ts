import { type Messages } from '#platform/pages/messages';
import { type PageView, pageTemplate } from '#platform/pages/page-renderer';
import { type Device } from './device';
import { type ActionVariant, installActions } from './install-actions';
import { type HelpTopic, helpTopics } from './install-help';
import { type InstallBuild, type Notice } from './install-build';
import { installLinks } from './install-links';
import { dateOf, daysAgo, sizeOf } from './install-format';

export interface InstallPageInput {
  readonly build: InstallBuild;
  readonly project: { readonly name: string };
  /** `INSTALL_BASE_URL`: where the page is reached from outside, never taken from a request. */
  readonly installBaseUrl: string;
  readonly inviteToken: string;
  readonly device: Device;
  readonly now: Date;
  readonly messages: Messages;
}

/** One line of the list of details. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

export interface InstallPageView extends PageView {
  readonly appName: string;
  /** Shown above the app's name when it says something the name does not. */
  readonly projectName: string | null;
  readonly versionLine: string;
  readonly systemName: string;
  readonly icon: { readonly src: string; readonly alt: string } | { readonly letter: string; readonly shade: number };
  readonly uploaded: { readonly iso: string; readonly relative: string };
  readonly size: string;
  readonly pageUrl: string;
  readonly qrSrc: string;
  /** Usually one; two where only script can tell which device this is. */
  readonly variants: readonly ActionVariant[];
  readonly warnings: readonly Notice[];
  readonly notes: string | null;
  readonly facts: readonly Fact[];
  readonly help: readonly HelpTopic[];
}

export const INSTALL_PAGE = pageTemplate<InstallPageView>(__dirname, 'install-page');

/** The shades of `page.css` a placeholder icon may have. */
const SHADES = 6;

/** The page of one build for one reader. Pure: the same input, the same page (contract §9). */
export function installPageView(input: InstallPageInput): InstallPageView {
  const { build, project, device, now, messages } = input;
  const words = messages.install;
  const links = installLinks(input.installBaseUrl, input.inviteToken, build.fileExtension);
  const appName = build.appName?.trim() || project.name;
  const systemName = words.systems[build.platform];
  return {
    messages,
    enhanced: true,
    title: words.pageTitle(appName, build.version),
    description: words.pageDescription(project.name, systemName),
    appName,
    projectName: project.name === appName ? null : project.name,
    versionLine:
      build.buildNumber === null || build.buildNumber === build.version
        ? words.version(build.version)
        : words.versionAndBuild(build.version, build.buildNumber),
    systemName,
    icon: build.hasIcon ? { src: links.icon, alt: words.iconOf(appName) } : placeholderIcon(appName),
    uploaded: { iso: build.uploadedAt.toISOString(), relative: daysAgo(build.uploadedAt, now, messages.languageTag) },
    size: sizeOf(build.sizeBytes, messages.languageTag),
    pageUrl: links.page,
    qrSrc: links.qrCode,
    variants: installActions(build, device, links, messages),
    warnings: build.warnings,
    notes: build.notes?.trim() || null,
    facts: factsOf(input, systemName),
    help: build.notInstallable ? [] : helpTopics(build, device, messages),
  };
}

function factsOf({ build, messages }: InstallPageInput, systemName: string): Fact[] {
  const { facts } = messages.install;
  const rows: readonly (readonly [string, string | null])[] = [
    [facts.uploaded, dateOf(build.uploadedAt, messages.languageTag)],
    [facts.requires, build.minimumOsVersion && facts.orLater(systemName, build.minimumOsVersion)],
    [facts.expires, build.expiresAt && dateOf(build.expiresAt, messages.languageTag)],
    [facts.identifier, build.bundleId],
  ];
  return rows.flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

/** The name's first letter on a shade that stays the same for the same name. */
function placeholderIcon(name: string): { letter: string; shade: number } {
  const letter = name.match(/[\p{L}\p{N}]/u)?.[0]?.toLocaleUpperCase() ?? '·';
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return { letter, shade: sum % SHADES };
}
