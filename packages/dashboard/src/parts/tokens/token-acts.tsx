import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '../../queries/keys';
import { FormDialog, RowMenu, Select, Stack, useNow } from '../../ui';
import { useWords } from '../../words/words-provider';
import { RevokeToken, type TokenListName } from './revoke-token';
import { type AnyToken, isExpired } from './token-state';

export interface TokenActsProps<New> {
  readonly token: AnyToken;
  /** The query of the list, which is refetched afterwards. */
  readonly list: TokenListName;
  /** `overlapSeconds` is 0 unless the kind of token has an overlap. */
  readonly rotate: (overlapSeconds: number) => Promise<New>;
  readonly onRotated: (token: New) => void;
  readonly revoke: () => Promise<unknown>;
  /** Whether the old value can stay valid for a while. */
  readonly overlaps: boolean;
  readonly rotateReason?: string;
  readonly revokeReason?: string;
}

/** The menu of a token: rotate and revoke. */
export function TokenActs<New>(props: TokenActsProps<New>) {
  const { token, rotateReason, revokeReason } = props;
  const words = useWords().tokens;
  const now = useNow();
  const [asked, setAsked] = useState<'rotate' | 'revoke'>();
  const close = (): void => setAsked(undefined);
  return (
    <>
      <RowMenu
        label={words.actions(token.name)}
        items={[
          {
            label: words.rotate,
            icon: 'refresh',
            disabledReason: rotateReason ?? (isExpired(token, now) ? words.rotateExpired : undefined),
            onSelect: () => setAsked('rotate'),
          },
          {
            label: words.revoke,
            icon: 'trash',
            danger: true,
            disabledReason: revokeReason,
            onSelect: () => setAsked('revoke'),
          },
        ]}
      />
      {asked === 'rotate' && <Rotate {...props} onClose={close} />}
      {asked === 'revoke' && <RevokeToken {...props} onClose={close} />}
    </>
  );
}

function Rotate<New>({
  token,
  list,
  rotate,
  onRotated,
  overlaps,
  onClose,
}: TokenActsProps<New> & { onClose: () => void }) {
  const words = useWords().tokens;
  const queryClient = useQueryClient();
  const rotation = useMutation({
    mutationFn: rotate,
    // The value of a token must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: async (rotated) => {
      onClose();
      onRotated(rotated);
      await queryClient.invalidateQueries({ queryKey: keyOf(list) });
    },
  });
  return (
    <FormDialog
      title={words.rotateTitle(token.name)}
      size="small"
      onClose={onClose}
      submitLabel={words.rotateConfirm}
      busy={rotation.isPending}
      errors={rotation.error}
      onSubmit={(values) => rotation.mutate(Number(values.get('overlap_seconds') ?? 0))}
    >
      <Stack gap={12}>
        <p>{overlaps ? words.rotateText : words.rotatePersonalText}</p>
        {overlaps && (
          <Select
            label={words.overlap}
            name="overlap_seconds"
            options={Object.entries(words.overlaps).map(([value, label]) => ({ value, label }))}
          />
        )}
      </Stack>
    </FormDialog>
  );
}
