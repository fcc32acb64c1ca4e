import { type UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button, Card, TypedConfirm } from '../ui';

export interface DeletionCardProps {
  readonly words: {
    readonly heading: string;
    readonly text: string;
    readonly button: string;
    readonly title: (name: string) => string;
    readonly field: (name: string) => string;
    readonly mismatch: string;
  };
  /** The name that must be typed. */
  readonly name: string;
  readonly disabledReason: string | undefined;
  readonly deletion: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
  /** Shown above the button instead of the reason why it is disabled. */
  readonly children?: ReactNode;
}

/** Deletes an object after its name was typed. */
export function DeletionCard({ words, name, disabledReason, deletion, children }: DeletionCardProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Card title={words.heading} tone="problem">
      <p>{words.text}</p>
      {children || (disabledReason && <p className="soft">{disabledReason}</p>)}
      <div>
        <Button variant="danger" icon="trash" disabledReason={disabledReason} onClick={() => setIsAsking(true)}>
          {words.button}
        </Button>
      </div>
      <TypedConfirm
        open={isAsking}
        title={words.title(name)}
        confirmLabel={words.button}
        expected={name}
        fieldLabel={words.field(name)}
        mismatchReason={words.mismatch}
        busy={deletion.isPending}
        error={deletion.error}
        onConfirm={() => deletion.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        <p>{words.text}</p>
      </TypedConfirm>
    </Card>
  );
}
