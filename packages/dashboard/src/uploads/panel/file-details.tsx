import { type Platform } from '@agate/client';
import { Form, Select, TextField } from '../../ui';
import { useWords } from '../../words/words-provider';
import { type UploadItem } from '../store/upload-item';
import { uploads } from '../uploads';
import s from './panel.module.css';

/** Platforms whose files contain no metadata. */
const PLATFORMS = ['macos', 'windows', 'linux'] as const satisfies readonly Platform[];

export interface FileDetailsProps {
  readonly item: UploadItem;
  /** The id of the form, which a button outside of it submits. */
  readonly form: string;
}

/** Version and platform of a file that does not contain them. */
export function FileDetails({ item, form }: FileDetailsProps) {
  const words = useWords().uploads;
  const { key, edits } = item;
  return (
    <Form id={form} className={s.fields} onSubmit={() => uploads.start(key)}>
      <p className="soft">{words.detailsNeeded}</p>
      <TextField
        label={words.version}
        name="version"
        required
        maxLength={100}
        value={edits.version}
        onChange={(event) => uploads.edit(key, { version: event.target.value })}
      />
      <Select
        label={words.platform}
        name="platform"
        required
        value={edits.platform}
        onChange={(event) => uploads.edit(key, { platform: event.target.value as Platform | '' })}
        options={[
          { value: '', label: words.choosePlatform },
          ...PLATFORMS.map((platform) => ({ value: platform, label: words.platforms[platform] })),
        ]}
      />
    </Form>
  );
}
