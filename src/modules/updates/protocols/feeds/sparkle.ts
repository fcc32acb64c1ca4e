import { type Platform } from '#kernel/builds/platform';
import { xmlText } from '#kernel/text/xml-text';
import { mediaTypeOf } from '#infra/blob/download-headers';
import { type FeedBuild } from './feed-build';

export const APPCAST_TYPE = 'application/rss+xml; charset=utf-8';

/** Sparkle is for macOS, WinSparkle for Windows, NetSparkle for all three. */
export const APPCAST_PLATFORMS: readonly Platform[] = ['macos', 'windows', 'linux'];

/**
 * The feed of Sparkle, WinSparkle and NetSparkle, with the current build. Sparkle compares `sparkle:version` with `CFBundleVersion`, so it
 * is the build number, if there is one.
 */
export function appcast({ platform, version, buildNumber, notes, since, ...file }: FeedBuild): string {
  const enclosure = [
    attribute('url', file.url),
    attribute('length', String(file.sizeBytes)),
    attribute('type', mediaTypeOf(file.fileName)),
    attribute('sparkle:os', platform),
    ...(file.signature === null ? [] : [attribute('sparkle:edSignature', file.signature)]),
  ];
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle">',
    '  <channel>',
    '    <title>Updates</title>',
    '    <item>',
    `      <title>${escaped(version)}</title>`,
    `      <pubDate>${since.toUTCString()}</pubDate>`,
    `      <sparkle:version>${escaped(buildNumber ?? version)}</sparkle:version>`,
    `      <sparkle:shortVersionString>${escaped(version)}</sparkle:shortVersionString>`,
    ...(file.mandatory ? ['      <sparkle:criticalUpdate />'] : []),
    ...(notes === null ? [] : [`      <description sparkle:format="plain-text">${escaped(notes)}</description>`]),
    `      <enclosure ${enclosure.join(' ')} />`,
    '    </item>',
    '  </channel>',
    '</rss>',
    '',
  ].join('\n');
}

const attribute = (name: string, value: string): string => `${name}="${escaped(value)}"`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string =>
  xmlText(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
