import { Fragment } from 'react';
import { Dialog } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from '../frame.module.css';
import { isCommandKeyboard } from './modifier';
import { GO_TO, hasSingleKeys } from './shortcuts';

type Row = readonly [keys: readonly string[], what: string];

/** Lists the keys that have an effect. Keys of a sequence are separated by "then". */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { palette, frame } = useWords();
  const words = palette.shortcuts;
  const { control, command } = frame.paletteKeys;
  const groups: readonly (readonly [title: string, rows: readonly Row[]])[] = [
    [
      words.everywhere,
      [
        [[isCommandKeyboard() ? command : control], frame.search],
        [['/'], words.search],
        [['U'], frame.uploadBuild],
        ...Object.entries(GO_TO).map(([key, screen]): Row => [['G', key.toUpperCase()], words.goTo(frame[screen])]),
        [['?'], words.help],
        [['Esc'], words.close],
      ],
    ],
    [
      words.inLists,
      [
        [['J'], words.next],
        [['K'], words.previous],
        [['Enter'], words.open],
        [['X'], words.select],
      ],
    ],
    [
      words.onBuild,
      [
        [['P'], words.promote],
        [['C'], words.copyLink],
        [['E'], words.editNotes],
      ],
    ],
  ];
  return (
    <Dialog title={words.heading} onClose={onClose}>
      {!hasSingleKeys() && <p className="soft">{words.off}</p>}
      {groups.map(([title, rows]) => (
        <section key={title} className={styles.keys}>
          <h3>{title}</h3>
          <dl>
            {rows.map(([keys, what]) => (
              <div key={what}>
                <dt>
                  {keys.map((key, index) => (
                    <Fragment key={key}>
                      {index > 0 && <span className="soft"> {words.then} </span>}
                      <kbd>{key}</kbd>
                    </Fragment>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
