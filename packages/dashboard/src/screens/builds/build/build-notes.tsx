import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Notes } from '../../../parts/builds/notes';
import { ProposeNotes } from '../../../parts/builds/propose-notes';
import { MAX_NOTES } from '../../../parts/builds/proposed-notes';
import { drafts } from '../../../parts/drafts';
import { type Build, buildQuery, updateNotes } from '../../../queries/project/builds';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Button, Card, Form, Inline, TextArea } from '../../../ui';
import { useWords } from '../../../words/words-provider';

/** The notes for testers. They are edited in place; typed text survives a reload. */
export function BuildNotes({ build }: { build: Build }) {
  const words = useWords().build;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const draftKey = `notes:${build.id}`;
  const [isEditing, setIsEditing] = useState(() => drafts.read(draftKey) !== null);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const end = (): void => {
    drafts.forget(draftKey);
    setIsEditing(false);
  };
  return (
    <Card
      title={words.notes}
      actions={
        !isEditing && (
          <Button
            ref={edit}
            variant="quiet"
            icon="edit"
            aria-keyshortcuts="E"
            disabledReason={may('PATCH /builds/{build_id}')}
            onClick={() => setIsEditing(true)}
          >
            {words.editNotes}
          </Button>
        )
      }
    >
      {isEditing ? (
        <NotesForm build={build} draftKey={draftKey} onEnd={end} onLeave={() => setIsEditing(false)} />
      ) : build.notes === null ? (
        <p className="soft">{words.noNotes}</p>
      ) : (
        <Notes text={build.notes} />
      )}
    </Card>
  );
}

interface NotesFormProps {
  readonly build: Build;
  readonly draftKey: string;
  readonly onEnd: () => void;
  /** Closes the form and keeps its text. */
  readonly onLeave: () => void;
}

function NotesForm({ build, draftKey, onEnd, onLeave }: NotesFormProps) {
  const words = useWords();
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const saving = useMutation({
    mutationFn: (notes: string) => updateNotes(scope, build.id, notes),
    onSuccess: (updated) => {
      queryClient.setQueryData(buildQuery(scope, build.id).queryKey, updated);
      onEnd();
    },
  });
  return (
    <Form errors={saving.error} onSubmit={(values) => saving.mutate(values.get('notes') as string)}>
      <TextArea
        label={words.build.notes}
        hideLabel
        name="notes"
        rows={5}
        maxLength={MAX_NOTES}
        ref={field}
        defaultValue={drafts.read(draftKey) ?? build.notes ?? ''}
        onChange={(event) => drafts.keep(draftKey, event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onLeave()}
        autoFocus
      />
      <Inline>
        <Button type="submit" variant="primary" busy={saving.isPending}>
          {words.build.saveNotes}
        </Button>
        <Button onClick={onEnd}>{words.ui.cancel}</Button>
        <ProposeNotes commits={build.source.commits} field={field} draftKey={draftKey} />
      </Inline>
    </Form>
  );
}
