import { Link } from '@tanstack/react-router';
import { minimumOs } from '../../../parts/builds/minimum-os';
import { type Build, versionOf } from '../../../queries/project/builds';
import { useProjectPlace } from '../../../session/use-project-place';
import { Card, Select, Skeleton } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';
import { permissionName } from './build-permissions';
import { useComparison } from './use-comparison';

/** The changes for testers of a channel who have an older build, or since the previous build. */
export function BuildSince({ build }: { build: Build }) {
  const words = useWords().build;
  const format = useFormat();
  const { params } = useProjectPlace();
  const { choices, base, before, isPending, choose } = useComparison(build);
  const changes = useChanges(before ?? build, build);
  if (!before) return isPending && <Skeleton shape="cards" count={1} />;
  return (
    <Card
      title={words.since(versionOf(before))}
      actions={
        <Link to="/o/$org/p/$project/compare" params={params} search={{ from: before.id, to: build.id }}>
          {words.compareShort}
        </Link>
      }
    >
      {base && choices.length === 1 && <p className="soft">{words.currentIn(format.list(base.channels))}</p>}
      {base && choices.length > 1 && (
        <Select
          label={words.compareWith}
          value={base.release.build_id}
          options={choices.map(({ release, channels }) => ({
            value: release.build_id,
            label: `${versionOf(release)} · ${format.list(channels)}`,
          }))}
          onChange={(event) => choose(event.target.value)}
        />
      )}
      <ul className={styles.changes}>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </Card>
  );
}

const without = (names: readonly string[], others: readonly string[]): readonly string[] =>
  names.filter((name) => !others.includes(name));

/** The signer of a build, as devices identify it: the certificate of an Android app, the team of an iOS app. */
const signerOf = ({ signing }: Build): string | null | undefined => signing?.team_id ?? signing?.certificate_sha256;

/** The changes that matter to testers, in a few words each. */
function useChanges(before: Build, after: Build): readonly string[] {
  const words = useWords().build;
  const format = useFormat();
  const [from, to] = [before, after].map((build) => minimumOs(build));
  const known = new Set(before.warnings.map(({ code }) => code));
  const newWarnings = after.warnings.filter(({ code }) => !known.has(code)).length;
  const difference = after.size_bytes - before.size_bytes;
  const [had, has] = [before, after].map(({ app }) => app.permissions);
  // Lists of builds contain no permissions.
  const [more, less] = had && has ? [without(has, had), without(had, has)] : [[], []];
  return [
    difference === 0 ? words.sameSize : format.byteChange(difference),
    ...(from && to && from !== to ? [`${from} → ${to}`] : []),
    ...(more.length > 0 ? [words.morePermissions(format.list(more.map(permissionName)))] : []),
    ...(less.length > 0 ? [words.lessPermissions(format.list(less.map(permissionName)))] : []),
    ...(signerOf(before) === signerOf(after) ? [] : [words.otherSigner]),
    ...(newWarnings > 0 ? [format.plural(newWarnings, words.newWarnings)] : []),
  ];
}
