import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AlertDialog, Button, useToast } from '../ui';

interface ReplaceLinkProps {
  readonly words: {
    readonly replaceLink: string;
    readonly replaceTitle: string;
    readonly replaceText: string;
    readonly replaced: string;
  };
  readonly disabledReason: string | undefined;
  /** Replaces the link, and shows the new one. */
  readonly replace: () => Promise<unknown>;
}

/** The button that replaces the install link of a build or channel. Asks for confirmation, because the earlier link stops working. */
export function ReplaceLink({ words, disabledReason, replace }: ReplaceLinkProps) {
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const replacement = useMutation({
    mutationFn: replace,
    onSuccess: () => {
      toast(words.replaced, { tone: 'success' });
      setIsAsking(false);
    },
  });
  return (
    <>
      <Button
        variant="quiet"
        icon="refresh"
        className="hang-start"
        disabledReason={disabledReason}
        onClick={() => {
          replacement.reset();
          setIsAsking(true);
        }}
      >
        {words.replaceLink}
      </Button>
      <AlertDialog
        open={isAsking}
        title={words.replaceTitle}
        confirmLabel={words.replaceLink}
        busy={replacement.isPending}
        error={replacement.error}
        onConfirm={() => replacement.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        <p>{words.replaceText}</p>
      </AlertDialog>
    </>
  );
}
