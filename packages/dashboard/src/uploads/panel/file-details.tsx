import { type Platform } from '@agate/client';
import { Button, Form, Select, TextField } from '../../ui';
import { useWords } from '../../words/words-provider';
import { type UploadItem } from '../store/upload-item';
import { uploads } from '../uploads';
import s from './panel.module.css';

/** Platforms whose files contain no metadata. */
const PLATFORMS = ['macos', 'windows', 'linux'] as const satisfies readonly Platform[];

/** Version and platform of a file that does not contain them. */
export function FileDetails({ item }: { readonly item: UploadItem }) {
  const words = useWords().uploads;
  const { key, edits, state } = item;
  return (
    <Form className={s.fields} onSubmit={() => uploads.start(key)}>
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
      {state === 'details' && (
        <Button variant="primary" type="submit">
          {words.start}
        </Button>
      )}
    </Form>
  );
}
