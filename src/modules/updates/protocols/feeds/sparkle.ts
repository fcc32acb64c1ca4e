import { type Platform } from '#kernel/builds/platform';
import { xmlText } from '#kernel/text/xml-text';
import { mediaTypeOf } from '#infra/blob/download-headers';
import { type FeedBuild } from './feed-build';
import { type FeedFile } from './feed-files';

export const APPCAST_TYPE = 'application/rss+xml; charset=utf-8';

/** Sparkle is for macOS, WinSparkle for Windows, NetSparkle for all three. */
export const APPCAST_PLATFORMS: readonly Platform[] = ['macos', 'windows', 'linux'];

/**
 * The feed of Sparkle, WinSparkle and NetSparkle, with the current build. Sparkle compares `sparkle:version` with `CFBundleVersion`, so it
 * is the build number, if there is one. On macOS a file for Apple silicon has an item of its own, before that for all Macs, because Sparkle
 * takes the first of equal versions whose requirements the Mac meets.
 */
export function appcast(build: FeedBuild): string {
  const [first] = build.files;
  const silicon =
    build.platform === 'macos' ? build.files.find((file) => file !== first && file.arch === 'arm64') : undefined;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle">',
    '  <channel>',
    '    <title>Updates</title>',
    ...(silicon
      ? itemOf(build, silicon, ['      <sparkle:hardwareRequirements>arm64</sparkle:hardwareRequirements>'])
      : []),
    ...itemOf(build, first),
    '  </channel>',
    '</rss>',
    '',
  ].join('\n');
}

function itemOf(
  { platform, version, buildNumber, notes, since, mandatory }: FeedBuild,
  file: FeedFile,
  requirements: readonly string[] = [],
): string[] {
  const enclosure = [
    attribute('url', file.url),
    attribute('length', String(file.sizeBytes)),
    attribute('type', mediaTypeOf(file.fileName)),
    attribute('sparkle:os', platform),
    ...(file.signature === null ? [] : [attribute('sparkle:edSignature', file.signature)]),
  ];
  return [
    '    <item>',
    `      <title>${escaped(version)}</title>`,
    `      <pubDate>${since.toUTCString()}</pubDate>`,
    `      <sparkle:version>${escaped(buildNumber ?? version)}</sparkle:version>`,
    `      <sparkle:shortVersionString>${escaped(version)}</sparkle:shortVersionString>`,
    ...requirements,
    ...(mandatory ? ['      <sparkle:criticalUpdate />'] : []),
    ...(notes === null ? [] : [`      <description sparkle:format="plain-text">${escaped(notes)}</description>`]),
    `      <enclosure ${enclosure.join(' ')} />`,
    '    </item>',
  ];
}

const attribute = (name: string, value: string): string => `${name}="${escaped(value)}"`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string =>
  xmlText(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
