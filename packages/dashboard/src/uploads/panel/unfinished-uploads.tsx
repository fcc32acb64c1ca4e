import { useId, useState } from 'react';
import { Button, Icon, IconButton } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { chooseFiles } from '../browser/files';
import { type UnfinishedItem } from '../store/upload-item';
import { uploads } from '../uploads';
import { DiscardQuestion } from './discard-question';
import s from './panel.module.css';

export interface UnfinishedUploadsProps {
  readonly items: readonly UnfinishedItem[];
  readonly onRemoved: () => void;
}

/** The uploads that a reload has interrupted. */
export function UnfinishedUploads({ items, onRemoved }: UnfinishedUploadsProps) {
  const words = useWords().uploads;
  const id = useId();
  return (
    <section aria-labelledby={id} className={s.unfinished}>
      <h3 id={id}>{words.unfinished}</h3>
      <ul className={s.rows}>
        {items.map((item) => (
          <Unfinished key={item.key} item={item} onRemoved={onRemoved} />
        ))}
      </ul>
    </section>
  );
}

async function carryOn(key: string): Promise<void> {
  // The chooser opens only directly after the click.
  if (uploads.needsChoice(key) || (await uploads.continue(key)) === 'choose') {
    const [chosen] = await chooseFiles({ multiple: false });
    if (chosen) uploads.continueWith(key, chosen);
  }
}

function Unfinished({ item, onRemoved }: { readonly item: UnfinishedItem; readonly onRemoved: () => void }) {
  const words = useWords().uploads;
  const format = useFormat();
  const { key, file, sentBytes, isOtherFile } = item;
  const size = format.bytes(file.size);
  const [isAsking, setIsAsking] = useState(false);
  const discard = (): void => {
    void uploads.discardInterrupted(key);
    onRemoved();
  };
  return (
    <li className={s.row}>
      <div className={s.rowHead}>
        <Icon name="file" />
        <div className={s.names}>
          <span className={s.name} title={file.name}>
            {file.name}
          </span>
          {sentBytes !== null && <span className={s.place}>{words.arrived(format.bytes(sentBytes), size)}</span>}
        </div>
        <IconButton
          label={words.discard}
          icon="close"
          onClick={() => (sentBytes === 0 ? discard() : setIsAsking(true))}
        />
        {isAsking && <DiscardQuestion name={file.name} onConfirm={discard} onCancel={() => setIsAsking(false)} />}
      </div>
      <Button
        variant="primary"
        icon="play"
        aria-label={words.continueFile(file.name)}
        onClick={() => void carryOn(key)}
      >
        {words.continue}
      </Button>
      {isOtherFile && (
        <div className={s.refusal}>
          <p role="alert" className={s.refusalTitle}>
            {words.otherFile}
          </p>
          <p>{words.chooseSame(file.name, size, format.dateTime(new Date(file.modified)))}</p>
        </div>
      )}
    </li>
  );
}
