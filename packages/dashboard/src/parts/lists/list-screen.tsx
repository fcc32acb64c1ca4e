import { type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { Card, type CardProps, LoadMore, Skeleton, Stack } from '../../ui';
import { type PluralForms } from '../../words/format';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { LoadError } from './load-error';

export type Pages<Item> = InfiniteData<{ readonly items: readonly Item[] }>;

/** The loaded rows of a list. */
export const itemsOf = <Item,>(list: { readonly data: Pages<Item> | undefined }): readonly Item[] =>
  list.data?.pages.flatMap(({ items }) => items) ?? [];

type List = Pick<
  UseInfiniteQueryResult<unknown>,
  'data' | 'error' | 'isPending' | 'isLoadingError' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
>;

export interface ListScreenProps {
  readonly list: List;
  /** The number of loaded rows. */
  readonly count: number;
  /** The number of rows in the skeleton. */
  readonly rows: number;
  readonly forms: PluralForms;
  /** The text while there are more rows, if their number is known. */
  readonly more?: ((count: string) => string) | undefined;
  /** Shown in place of the rows when there are none. Not while there are more pages: a search returns empty pages before it ends. */
  readonly empty?: ReactNode;
  /** The rows. */
  readonly children: ReactNode;
}

/** A list that is loaded page by page: a skeleton or the error, then its rows or what stands in their place, and how many there are. */
export function ListScreen(props: ListScreenProps) {
  return (
    <>
      <ListRows {...props} />
      {props.list.data !== undefined && <ListFoot {...props} />}
    </>
  );
}

/** A list in a card, and below it how many there are. The foot of an empty list is left out. */
export function ListCard({
  list,
  count,
  rows,
  forms,
  more,
  empty,
  children,
  ...card
}: ListScreenProps & Omit<CardProps, 'footer'>) {
  const props = { list, count, rows, forms, more, empty, children };
  return (
    <Stack gap={8}>
      <Card {...card}>
        <ListRows {...props} />
      </Card>
      {(count > 0 || list.hasNextPage) && <ListFoot {...props} />}
    </Stack>
  );
}

function ListRows({ list, count, rows, empty, children }: ListScreenProps) {
  if (list.isPending) return <Skeleton shape="rows" count={rows} />;
  if (list.isLoadingError && list.error) return <LoadError error={list.error} onRetry={() => void list.refetch()} />;
  if (count > 0 || empty === undefined) return children;
  return list.hasNextPage ? null : empty;
}

/** The number of rows. Below an empty state it would repeat it, and is only announced. */
function ListFoot({ list, count, forms, more }: ListScreenProps) {
  const format = useFormat();
  const { ui } = useWords();
  const loaded = list.hasNextPage
    ? (more?.(format.number(count)) ?? ui.soFar(format.plural(count, forms)))
    : format.plural(count, forms);
  const foot = (
    <LoadMore
      status={count === 0 && list.hasNextPage ? ui.nothingYet : loaded}
      onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      busy={list.isFetchingNextPage}
    />
  );
  return <div className={count === 0 && !list.hasNextPage ? 'visually-hidden' : undefined}>{foot}</div>;
}
