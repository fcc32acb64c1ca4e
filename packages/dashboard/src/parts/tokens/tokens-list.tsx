import { type ReactNode } from 'react';
import { Card, type Column, EmptyState, Table } from '../../ui';
import { useWords } from '../../words/words-provider';
import { itemsOf, ListScreen, type ListScreenProps, type Pages } from '../lists/list-screen';
import { type AnyToken, TimeOrNever, TokenName } from './token-state';

export interface TokensListProps<Token extends AnyToken> {
  readonly list: ListScreenProps['list'] & { readonly data: Pages<Token> | undefined };
  readonly title: string;
  /** Shown when there are no tokens. */
  readonly emptyText: string;
  /** The button that makes the first token. */
  readonly emptyActions?: ReactNode;
  /** The columns of this kind of token after the name. */
  readonly own: readonly Column<Token>[];
  /** The columns of this kind of token after the times. */
  readonly last?: readonly Column<Token>[];
  readonly acts: (token: Token) => ReactNode;
}

/** A list of tokens of one kind, with what can be done with each. */
export function TokensList<Token extends AnyToken>(props: TokensListProps<Token>) {
  const { list, title, emptyText, emptyActions, own, last = [], acts } = props;
  const words = useWords().tokens;
  const labels = words.columns;
  const tokens = itemsOf(list);
  const columns: readonly Column<Token>[] = [
    { id: 'name', label: labels.name, cell: (token) => <TokenName token={token} /> },
    ...own,
    { id: 'last4', label: labels.last4, cell: ({ last4 }) => <span className="mono">…{last4}</span> },
    { id: 'used', label: labels.used, cell: ({ last_used_at }) => <TimeOrNever value={last_used_at} /> },
    { id: 'expires', label: labels.expires, cell: ({ expires_at }) => <TimeOrNever value={expires_at} /> },
    ...last,
    { id: 'actions', label: labels.actions, hideLabel: true, width: 'narrow', cell: acts },
  ];
  return (
    <ListScreen
      list={list}
      count={tokens.length}
      rows={4}
      forms={words.count}
      empty={
        <EmptyState title={words.empty.heading} actions={emptyActions}>
          {emptyText}
        </EmptyState>
      }
    >
      <Card title={title} hideTitle flush>
        <Table brief label={title} columns={columns} rows={tokens} rowKey={({ id }) => id} />
      </Card>
    </ListScreen>
  );
}
