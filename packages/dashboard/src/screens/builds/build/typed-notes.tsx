import { useState } from 'react';
import { drafts } from '../../../parts/drafts';
import { Button, Card, CopyButton, Inline, Stack, TextArea } from '../../../ui';
import { useWords } from '../../../words/words-provider';

/** The notes that were typed for a build that another person deleted, or that is hidden now. */
export function TypedNotes({ buildId }: { buildId: string }) {
  const words = useWords().build;
  const keys = [`notes:${buildId}`, `promotion:${buildId}`];
  const [text, setText] = useState(() => keys.map(drafts.read).find(Boolean));
  if (!text) return null;
  const discard = (): void => {
    keys.forEach(drafts.forget);
    setText(undefined);
  };
  return (
    <Card title={words.typedNotes}>
      <Stack gap={12}>
        <p className="soft">{words.typedNotesText}</p>
        <TextArea label={words.typedNotes} hideLabel rows={5} readOnly value={text} />
        <Inline>
          <CopyButton label={words.copyNotes} value={text} />
          <Button onClick={discard}>{words.discardNotes}</Button>
        </Inline>
      </Stack>
    </Card>
  );
}
