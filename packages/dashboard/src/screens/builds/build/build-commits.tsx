import { Commits } from '../../../parts/builds/commits';
import { type Build } from '../../../queries/project/builds';
import { Card, Fold } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';

/** The commits that are shown without opening the list. */
const SHOWN = 8;

/** The commits since the previous build, if the upload said them. */
export function BuildCommits({ build: { source } }: { build: Build }) {
  const words = useWords().differences;
  const format = useFormat();
  const { commits } = source;
  if (commits === null) return null;
  const [shown, further] = [commits.slice(0, SHOWN), commits.slice(SHOWN)];
  return (
    <Card title={words.commits}>
      {commits.length === 0 ? <p className="soft">{words.noCommits}</p> : <Commits commits={shown} source={source} />}
      {further.length > 0 && (
        <Fold title={format.plural(further.length, words.furtherCommits)}>
          <Commits commits={further} source={source} />
        </Fold>
      )}
    </Card>
  );
}
