import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Build, buildQuery, updateNotes } from '../../../queries/builds';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Button, Card, Form, hasDraft, Inline, TextArea, textOf } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** What testers should look at. Edited in place. */
export function BuildNotes({ build }: { build: Build }) {
  const words = useWords();
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const queryClient = useQueryClient();
  const [isEditing, setIsEditing] = useState(() => hasDraft('notes'));
  const saving = useMutation({
    mutationFn: (notes: string) => updateNotes(scope, build.id, notes),
    onSuccess: (updated) => {
      queryClient.setQueryData(buildQuery(scope, build.id).queryKey, updated);
      setIsEditing(false);
    },
  });
  return (
    <Card
      title={words.build.notes}
      actions={
        !isEditing && (
          <Button
            variant="quiet"
            icon="edit"
            aria-keyshortcuts="E"
            disabledReason={may('PATCH /builds/{build_id}')}
            onClick={() => setIsEditing(true)}
          >
            {words.build.editNotes}
          </Button>
        )
      }
    >
      {isEditing ? (
        <Form errors={saving.error} onSubmit={(values) => saving.mutate(textOf(values, 'notes'))}>
          <TextArea
            label={words.build.notes}
            hideLabel
            name="notes"
            rows={5}
            maxLength={5000}
            defaultValue={build.notes ?? ''}
            autoFocus
          />
          <Inline>
            <Button type="submit" variant="primary" busy={saving.isPending}>
              {words.build.saveNotes}
            </Button>
            <Button onClick={() => setIsEditing(false)}>{words.ui.cancel}</Button>
          </Inline>
        </Form>
      ) : (
        <p className={build.notes === null ? styles.soft : styles.notes}>{build.notes ?? words.build.noNotes}</p>
      )}
    </Card>
  );
}
