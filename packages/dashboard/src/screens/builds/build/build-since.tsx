import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { minimumOs } from '../../../parts/builds/minimum-os';
import { type Build, buildBeforeQuery, versionOf } from '../../../queries/project/builds';
import { useProjectPlace } from '../../../session/use-project-place';
import { Card } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** What changed since the build of the same platform that was uploaded before. */
export function BuildSince({ build }: { build: Build }) {
  const words = useWords().build;
  const { scope, params } = useProjectPlace();
  const { data: before } = useQuery(buildBeforeQuery(scope, build));
  const changes = useChanges(before ?? build, build);
  if (!before) return null;
  return (
    <Card
      title={words.since(versionOf(before))}
      actions={
        <Link
          to="/o/$org/p/$project/compare"
          params={params}
          search={{ from: before.id, to: build.id }}
          className={styles.cardLink}
        >
          {words.compareShort}
        </Link>
      }
    >
      <ul className={styles.changes}>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </Card>
  );
}

/** The changes that matter to testers, in a few words each. */
function useChanges(before: Build, after: Build): readonly string[] {
  const words = useWords().build;
  const format = useFormat();
  const [from, to] = [before, after].map((build) => minimumOs(build));
  const known = new Set(before.warnings.map(({ code }) => code));
  const newWarnings = after.warnings.filter(({ code }) => !known.has(code)).length;
  const difference = after.size_bytes - before.size_bytes;
  return [
    difference === 0 ? words.sameSize : format.byteChange(difference),
    ...(from && to && from !== to ? [`${from} → ${to}`] : []),
    ...(newWarnings > 0 ? [format.plural(newWarnings, words.newWarnings)] : []),
  ];
}
