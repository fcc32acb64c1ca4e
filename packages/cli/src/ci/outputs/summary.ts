import { isIPv4, isIPv6 } from 'node:net';
import { markdownBlock, markdownCode, markdownText } from '../../output/escaping';
import { type UploadedBuild } from './values';

const PLATFORMS: Readonly<Record<string, string>> = {
  ios: 'iOS',
  android: 'Android',
  macos: 'macOS',
  windows: 'Windows',
};
const QR_PIXELS = 180;

/** Markdown that describes builds, for the summary of a run and for a comment on a pull request. */
export const summaryOf = (builds: readonly UploadedBuild[]): string => builds.map(summaryOfBuild).join('\n');

function summaryOfBuild(build: UploadedBuild): string {
  const name = build.app.name ?? build.file_name;
  return [
    `### ${markdownText(name)} ${markdownText(versionOf(build))}`,
    '',
    ...tableOf(build),
    ...pictureOf(build),
    ...build.warnings.flatMap(({ code, message }) => ['', `> ⚠️ ${markdownText(message)} ${markdownCode(code)}`]),
    ...(build.notes?.trim()
      ? ['', '<details><summary>Notes</summary>', '', markdownBlock(build.notes), '', '</details>']
      : []),
    '',
  ].join('\n');
}

function tableOf(build: UploadedBuild): string[] {
  const rows: (readonly [string, string])[] = [
    ['Platform', markdownText(PLATFORMS[build.platform] ?? build.platform)],
    ['Version', markdownText(versionOf(build))],
    ['Install', linkOf(build.install_url)],
    ...build.releases.map(
      ({ channel, install_url }) => [`Channel ${markdownText(channel)}`, linkOf(install_url)] as const,
    ),
    ['Build', markdownCode(build.id)],
  ];
  return ['| | |', '|---|---|', ...rows.map(([title, value]) => `| ${title} | ${value} |`)];
}

const versionOf = ({ version, build_number }: UploadedBuild): string =>
  build_number === null ? version : `${version} (${build_number})`;

const linkOf = (address: string | null): string =>
  address === null
    ? 'The token of this job must not download.'
    : `<a href="${attribute(address)}">${markdownText(address)}</a>`;

function pictureOf({ qr_url: picture, install_url: link }: UploadedBuild): string[] {
  if (!picture || !link || !isPublic(picture)) return [];
  return [
    '',
    `<a href="${attribute(link)}"><img src="${attribute(picture)}" alt="QR code of the install link" width="${QR_PIXELS}"></a>`,
  ];
}

/** Whether servers of the CI can load the picture. They cannot reach private addresses. */
export function isPublic(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '');
  if (isIPv6(host)) return /^[23]/.test(host);
  if (isIPv4(host)) return !PRIVATE_IPV4.test(host);
  return (
    host.includes('.') && !/\.(local|localhost|internal|intranet|lan|home|corp|test|invalid|home\.arpa)$/.test(host)
  );
}

const PRIVATE_IPV4 = /^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

const attribute = (text: string): string =>
  text.replaceAll(/[&"<>|`\s]/g, (character) => `&#${character.charCodeAt(0)};`);
