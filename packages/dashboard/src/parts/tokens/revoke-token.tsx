import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../queries/keys';
import { AlertDialog, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { type AnyToken } from './token-state';

/** The queries of lists of tokens. */
export type TokenListName = 'organization-tokens' | 'personal-tokens' | 'project-tokens';

export interface RevokeTokenProps {
  readonly token: Pick<AnyToken, 'name'>;
  /** The query of the list, which is refetched afterwards. */
  readonly list: TokenListName;
  readonly revoke: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before a token is revoked. */
export function RevokeToken({ token, list, revoke, onClose }: RevokeTokenProps) {
  const words = useWords().tokens;
  const queryClient = useQueryClient();
  const toast = useToast();
  const revocation = useMutation({
    mutationFn: revoke,
    onSuccess: async () => {
      toast(words.revoked(token.name), { tone: 'success' });
      onClose();
      await queryClient.invalidateQueries({ queryKey: keyOf(list) });
    },
  });
  return (
    <AlertDialog
      title={words.revokeTitle(token.name)}
      confirmLabel={words.revokeConfirm}
      busy={revocation.isPending}
      error={revocation.error}
      onConfirm={() => revocation.mutate()}
      onCancel={onClose}
    >
      <p>{words.revokeText}</p>
    </AlertDialog>
  );
}
