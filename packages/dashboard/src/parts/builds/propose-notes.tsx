import { type CommitResponse } from '@agate/client';
import { type RefObject } from 'react';
import { Button } from '../../ui';
import { useWords } from '../../words/words-provider';
import { drafts } from '../drafts';
import { proposedNotes } from './proposed-notes';

export interface ProposeNotesProps {
  readonly commits: readonly CommitResponse[] | null | undefined;
  /** The field that gets the subjects of the commits. */
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly draftKey: string;
}

/** Adds the subjects of commits to the notes. Text that is there stays. */
export function ProposeNotes({ commits, field, draftKey }: ProposeNotesProps) {
  const words = useWords().differences;
  const propose = (): void => {
    const area = field.current;
    if (!area || !commits) return;
    area.value = proposedNotes(area.value, commits);
    drafts.keep(draftKey, area.value);
    area.focus();
  };
  if (!commits?.some(({ subject }) => subject !== '')) return null;
  return <Button onClick={propose}>{words.proposeNotes}</Button>;
}
