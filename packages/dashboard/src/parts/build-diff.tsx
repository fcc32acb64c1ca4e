import { type BuildDiffResponse } from '@agate/client';
import { type Build, versionOf } from '../queries/builds';
import { Diff, type Difference } from '../ui';
import { useFormat } from '../words/use-format';
import { useWords } from '../words/words-provider';

export interface BuildDiffProps {
  readonly before: Build;
  readonly after: Build;
  readonly diff: BuildDiffResponse;
}

/** What changes from one build to another: version, size, minimum OS and certificate always, the rest when it differs. */
export function BuildDiff({ before, after, diff }: BuildDiffProps) {
  const words = useWords().differences;
  const format = useFormat();
  const size: Difference = {
    label: words.size,
    before: format.bytes(before.size_bytes),
    after: format.bytes(after.size_bytes),
    same: diff.size_bytes === null,
  };
  const items = [
    versionDifference(words, before, after),
    size,
    minimumOs(words, before, after),
    certificate(words, diff),
    ...texts(words, diff),
    ...names(words, diff, format.list),
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

function minimumOs(words: DiffWords, before: Build, after: Build): Difference {
  const [from, to] = [before, after].map(({ app }) => app.min_os_version ?? app.min_sdk?.toString() ?? words.none);
  const label = after.app.min_os_version === null && after.app.min_sdk !== null ? words.minSdk : words.minOs;
  const isHigher = from !== to && from !== undefined && to !== undefined && compareNumbers(to, from) > 0;
  return {
    label,
    before: from,
    after: to,
    same: from === to,
    ...(isHigher && { note: words.olderDevices(from), tone: 'warning' as const }),
  };
}

function certificate(words: DiffWords, { certificate_sha256, platform }: BuildDiffResponse): Difference {
  if (certificate_sha256 === null) return { label: words.certificate, after: words.certificateSame, same: true };
  return {
    label: words.certificate,
    before: certificate_sha256.from?.slice(0, 12) ?? words.none,
    after: certificate_sha256.to?.slice(0, 12) ?? words.none,
    ...(platform === null && { note: words.otherCertificate, tone: 'warning' as const }),
  };
}

function texts(words: DiffWords, diff: BuildDiffResponse): Difference[] {
  const fields = [
    [words.name, diff.name],
    [words.bundleId, diff.bundle_id],
    [words.targetSdk, diff.target_sdk],
    [words.signing, diff.signing_kind],
    [words.profile, diff.profile_name],
    [words.team, diff.team_id],
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

function names(words: DiffWords, diff: BuildDiffResponse, list: (items: readonly string[]) => string): Difference[] {
  const fields = [
    [words.permissions, diff.permissions?.added, diff.permissions?.removed],
    [words.entitlements, diff.entitlements?.added, diff.entitlements?.removed],
    [
      words.warnings,
      diff.warnings?.added.map(({ message }) => message),
      diff.warnings?.removed.map(({ message }) => message),
    ],
  ] as const;
  return fields.flatMap(([label, added = [], removed = []]) => [
    ...(added.length > 0 ? [{ label, after: words.added(list(added)), tone: 'warning' as const }] : []),
    ...(removed.length > 0 ? [{ label, after: words.removed(list(removed)), tone: 'success' as const }] : []),
  ]);
}

/** Compares dotted numbers such as 2.10 and 2.9. */
function compareNumbers(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => (text.match(/\d+/g) ?? []).map(Number));
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const compareVersions = (a: Build, b: Build): number =>
  compareNumbers(a.version, b.version) || compareNumbers(a.build_number ?? '', b.build_number ?? '');
