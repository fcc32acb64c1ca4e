import { useState } from 'react';
import { itemsOf, ListScreen } from '../../../parts/lists/list-screen';
import { type Build, useBuilds, versionOf } from '../../../queries/project/builds';
import { type Channel } from '../../../queries/project/channels';
import { useProjectPlace } from '../../../session/use-project-place';
import { AppIcon, Dialog, EmptyState, SearchField, Time } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../channels.module.css';

export interface ChooseBuildProps {
  readonly channel: Channel;
  readonly onChoose: (buildId: string) => void;
  readonly onClose: () => void;
}

/** The builds of the project, newest first, to choose one that is promoted. */
export function ChooseBuild({ channel, onChoose, onClose }: ChooseBuildProps) {
  const { builds, channels: words } = useWords();
  const { scope } = useProjectPlace();
  const [q, setQ] = useState('');
  const list = useBuilds(scope, { q: q || undefined });
  const found = itemsOf(list);
  const current = new Set(channel.current.map(({ build_id }) => build_id));
  return (
    <Dialog title={words.promoteBuild} onClose={onClose}>
      <SearchField label={words.choose.search} value={q} onValue={setQ} />
      <ListScreen
        list={list}
        count={found.length}
        rows={4}
        forms={builds.count}
        empty={<EmptyState compact level={3} title={q === '' ? words.choose.none : words.choose.noMatch} />}
      >
        <ul role="list" aria-label={words.choose.list} className={styles.choices}>
          {found.map((build) => (
            <li key={build.id}>
              <Choice build={build} isCurrent={current.has(build.id)} onChoose={() => onChoose(build.id)} />
            </li>
          ))}
        </ul>
      </ListScreen>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly build: Build;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

function Choice({ build, isCurrent, onChoose }: ChoiceProps) {
  const { builds, channels: words } = useWords();
  const { app, file_name, icon_url, platform, source, uploaded_at } = build;
  return (
    <button type="button" className={styles.choice} disabled={isCurrent} onClick={onChoose}>
      <AppIcon name={app.name ?? file_name} src={icon_url} size={32} />
      <span className={styles.about}>
        <span className={styles.line}>
          <span className={styles.version}>{versionOf(build)}</span>
          <span>{builds.platforms[platform] ?? platform}</span>
        </span>
        <span className={styles.soft}>
          {isCurrent ? (
            words.choose.isCurrent
          ) : (
            <>
              {words.choose.uploaded} <Time value={uploaded_at} />
              {source.branch && ` · ${source.branch}`}
            </>
          )}
        </span>
      </span>
    </button>
  );
}
