import { type BuildDiffResponse, type WarningResponse } from '@agate/client';
import { type Build, versionOf } from '../../queries/project/builds';
import { Diff, type Difference } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { androidLevel, compareNumbers, minimumOs, needsNewerOs } from './minimum-os';
import { useWarningText } from './warning-text';

export interface BuildDiffProps {
  readonly before: Build;
  readonly after: Build;
  readonly diff: BuildDiffResponse;
  /** Whether the new warnings are listed here, and not beside it. Default true. */
  readonly listsNewWarnings?: boolean;
}

/** The differences between two builds: version, size, minimum OS and certificate always, other facts when they differ. */
export function BuildDiff({ before, after, diff, listsNewWarnings = true }: BuildDiffProps) {
  const words = useWords();
  const format = useFormat();
  const textOf = useWarningText();
  const platformOf = ({ platform }: Build): string => words.builds.platforms[platform] ?? platform;
  const changedWarnings = listsNewWarnings ? diff.warnings : withoutNew(diff.warnings);
  const items: Difference[] = [
    versionDifference(words.differences, before, after),
    ...(diff.platform === null
      ? []
      : [{ label: words.differences.platform, before: platformOf(before), after: platformOf(after) }]),
    sizeDifference(words.differences, before, after, format),
    minimumOsDifference(words.differences, before, after),
    ...contentsDifference(words.differences, diff, format),
    certificateDifference(words.differences, before, after, diff),
    ...textDifferences(words.differences, diff, words.builds.signing),
    ...nameDifferences(words.differences, diff, format.list),
    ...warningDifferences(
      words.differences,
      changedWarnings,
      (count) => format.plural(count, words.build.newWarnings),
      textOf,
    ),
  ];
  return <Diff items={items} />;
}

type DiffWords = ReturnType<typeof useWords>['differences'];

function versionDifference(words: DiffWords, before: Build, after: Build): Difference {
  const isOlder = compareVersions(after, before) < 0;
  return {
    label: words.version,
    before: versionOf(before),
    after: versionOf(after),
    same: versionOf(before) === versionOf(after),
    ...(isOlder && { note: words.older, tone: 'warning' as const }),
  };
}

function sizeDifference(
  words: DiffWords,
  before: Build,
  after: Build,
  format: Pick<ReturnType<typeof useFormat>, 'bytes' | 'byteChange'>,
): Difference {
  const change = after.size_bytes - before.size_bytes;
  const [from, to] = [before, after].map(({ size_bytes }) => format.bytes(size_bytes));
  // A small change of a large file does not show in its rounded size.
  if (from === to)
    return { label: words.size, after: change === 0 ? to : `${to} (${format.byteChange(change)})`, same: change === 0 };
  return { label: words.size, before: from, after: `${to} (${format.byteChange(change)})` };
}

/** The kinds of files that grew or shrank. */
function contentsDifference(
  words: DiffWords,
  { contents }: BuildDiffResponse,
  format: Pick<ReturnType<typeof useFormat>, 'byteChange' | 'list'>,
): Difference[] {
  const changes = (contents?.kinds ?? []).map(
    ({ kind, from, to }) => `${words.kinds[kind] ?? kind} ${format.byteChange((to ?? 0) - (from ?? 0))}`,
  );
  return changes.length > 0 ? [{ label: words.contents, after: format.list(changes) }] : [];
}

function minimumOsDifference(words: DiffWords, before: Build, after: Build): Difference {
  const [from, to] = [before, after].map((build) => minimumOs(build) ?? words.none);
  return {
    label: words.minOs,
    before: from,
    after: to,
    same: from === to,
    ...(needsNewerOs(after, before) && { note: words.olderDevices, tone: 'warning' as const }),
  };
}

/** The certificate of an Android app whose predecessor has it, too. A file may claim any certificate. */
function sameCertificate(words: DiffWords, { signing }: Build): Difference {
  const label = words.certificate;
  if (!signing?.certificate_sha256) return { label, after: words.none, same: true };
  const isClaimed = signing.certificate_verified === false;
  return isClaimed
    ? { label, after: words.certificateClaimed, same: true, tone: 'warning' }
    : { label, after: words.certificateSame, same: true };
}

/** Android: the certificate. iOS: the team, because devices treat all certificates of a team alike. */
function certificateDifference(words: DiffWords, before: Build, after: Build, diff: BuildDiffResponse): Difference {
  const label = words.certificate;
  const isSamePlatform = diff.platform === null;
  if (after.platform === 'ios' && isSamePlatform) {
    const [from, to] = [before, after].map(({ signing }) => signing?.team_name ?? signing?.team_id ?? words.none);
    const same = diff.team_id === null;
    return { label, before: from, after: to, same, ...(!same && { note: words.otherTeam, tone: 'warning' as const }) };
  }
  const change = diff.certificate_sha256;
  if (change === null) {
    return sameCertificate(words, after);
  }
  return {
    label,
    before: change.from?.slice(0, 12) ?? words.none,
    after: change.to?.slice(0, 12) ?? words.none,
    ...(isSamePlatform && { note: words.otherCertificate, tone: 'warning' as const }),
  };
}

function textDifferences(
  words: DiffWords,
  diff: BuildDiffResponse,
  kinds: Readonly<Record<string, string>>,
): Difference[] {
  const level = (value: number | null | undefined) => (typeof value === 'number' ? androidLevel(value) : null);
  const kind = (value: string | null | undefined) => (value ? (kinds[value] ?? value) : null);
  const fields = [
    [words.name, diff.name],
    [words.bundleId, diff.bundle_id],
    [words.targetSdk, diff.target_sdk && { from: level(diff.target_sdk.from), to: level(diff.target_sdk.to) }],
    [words.signing, diff.signing_kind && { from: kind(diff.signing_kind.from), to: kind(diff.signing_kind.to) }],
    [words.profile, diff.profile_name],
  ] as const;
  return fields.flatMap(([label, change]) =>
    change === null
      ? []
      : [
          {
            label,
            before: change.from ?? words.none,
            after: change.to ?? words.none,
            ...(change === diff.bundle_id && { note: words.otherBundle, tone: 'warning' as const }),
          },
        ],
  );
}

function nameDifferences(
  words: DiffWords,
  diff: BuildDiffResponse,
  list: (items: readonly string[]) => string,
): Difference[] {
  const fields = [
    [words.permissions, diff.permissions],
    [words.entitlements, diff.entitlements],
    [words.abis, diff.abis],
  ] as const;
  return fields.flatMap(([label, names]): Difference[] => {
    if (names === null) return [];
    const gone = names.removed.length > 0 ? words.removed(list(names.removed)) : undefined;
    if (names.added.length > 0) {
      return [{ label, after: words.added(list(names.added)), note: gone, tone: 'warning' }];
    }
    return gone === undefined ? [] : [{ label, after: gone, tone: 'success' }];
  });
}

type ChangedWarnings = BuildDiffResponse['warnings'];

const withoutNew = (warnings: ChangedWarnings): ChangedWarnings => warnings && { ...warnings, added: [] };

/** New warnings with their texts. Warnings that have gone are listed only when there are no new ones. */
function warningDifferences(
  words: DiffWords,
  warnings: ChangedWarnings,
  countOf: (count: number) => string,
  textOf: (warning: WarningResponse) => string,
): Difference[] {
  if (warnings === null) return [];
  const { added, removed } = warnings;
  if (added.length > 0) {
    return [
      { label: words.warnings, after: countOf(added.length), note: added.map(textOf).join(' '), tone: 'warning' },
    ];
  }
  if (removed.length === 0) return [];
  return [{ label: words.warnings, after: words.goneWarnings, note: removed.map(textOf).join(' '), tone: 'success' }];
}

const compareVersions = (a: Build, b: Build): number =>
  compareNumbers(a.version, b.version) || compareNumbers(a.build_number ?? '', b.build_number ?? '');
