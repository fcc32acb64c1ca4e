import { type BuildDiffResponse } from '@agate/client';
import { Diff, type Difference } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

/** The files that grew or shrank from one build to another, the largest differences first. */
export function FileChanges({ contents }: { contents: NonNullable<BuildDiffResponse['contents']> }) {
  const { differences: words } = useWords();
  const format = useFormat();
  const items = contents.files.map(({ path, from, to }): Difference => {
    const change = format.byteChange((to ?? 0) - (from ?? 0));
    return {
      label: path,
      before: from === null ? words.none : format.bytes(from),
      after: to === null ? words.none : `${format.bytes(to)} (${change})`,
    };
  });
  return (
    <>
      <Diff items={items} />
      {contents.further_files > 0 && (
        <p className="soft">{format.plural(contents.further_files, words.furtherFiles)}</p>
      )}
    </>
  );
}
