import { type DeletionPreviewResponse } from '@agate/client';
import { Link } from '@tanstack/react-router';
import { versionOf } from '../../queries/project/builds';
import { useProjectPlace } from '../../session/use-project-place';
import { classNames, Stack, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './deletion.module.css';

/** The number of builds of a preview that are shown. */
const SHOWN = 8;

interface DeletionFiguresProps {
  readonly preview: DeletionPreviewResponse;
  /** Another one is being counted. */
  readonly stale: boolean;
}

/** The builds that a deletion would delete: how many, their size, what their storage costs, and the oldest of them. */
export function DeletionFigures({ preview, stale }: DeletionFiguresProps) {
  const words = useWords().deletion;
  const format = useFormat();
  const { builds, bytes, kept, saves_micro_usd_per_month: saved } = preview;
  return (
    <Stack gap={12} className={classNames(stale && styles.stale)} aria-busy={stale || undefined}>
      {builds > 0 && (
        <dl className={styles.figures}>
          <div>
            <dt>{words.number}</dt>
            <dd>{format.number(builds)}</dd>
          </div>
          <div>
            <dt>{words.size}</dt>
            <dd>{format.bytes(bytes)}</dd>
          </div>
          {saved > 0 && (
            <div>
              <dt>{words.costs}</dt>
              <dd>{format.money(saved)}</dd>
            </div>
          )}
        </dl>
      )}
      {kept > 0 && <p>{format.plural(kept, words.kept)}</p>}
      {builds > 0 && <Sample preview={preview} />}
    </Stack>
  );
}

function Sample({ preview: { sample, builds } }: { readonly preview: DeletionPreviewResponse }) {
  const { deletion: words, builds: of } = useWords();
  const format = useFormat();
  const { params } = useProjectPlace();
  const shown = sample.slice(0, SHOWN);
  return (
    <div>
      <h3 className={styles.heading}>{words.oldest}</h3>
      <ul className={styles.sample}>
        {shown.map((build) => (
          <li key={build.id}>
            <span>
              <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: build.id }}>
                {versionOf(build)}
              </Link>{' '}
              <span className="soft">{of.platforms[build.platform] ?? build.platform}</span>
            </span>
            <span>{format.bytes(build.size_bytes)}</span>
            <span className={styles.branch} title={build.branch ?? undefined}>
              {build.branch ?? '–'}
            </span>
            <span>
              <Time value={build.uploaded_at} />
            </span>
          </li>
        ))}
      </ul>
      {builds > shown.length && <p className="soft">{format.plural(builds - shown.length, words.more)}</p>}
    </div>
  );
}
