import { EmptyState } from '../../ui';
import { useWords } from '../../words/words-provider';

/** What a screen shows to a member whose roles do not include it. */
export function NeedsRole({ reason }: { readonly reason: string }) {
  return <EmptyState title={reason}>{useWords().billing.askAdmin}</EmptyState>;
}
