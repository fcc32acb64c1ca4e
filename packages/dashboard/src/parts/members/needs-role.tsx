import { EmptyState } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The message for a member whose roles do not permit the screen. */
export function NeedsRole({ reason }: { readonly reason: string }) {
  return (
    <EmptyState title={reason} icon="lock">
      {useWords().billing.askAdmin}
    </EmptyState>
  );
}
