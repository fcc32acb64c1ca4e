import { type UseInfiniteQueryResult } from '@tanstack/react-query';
import { LoadMore } from '../../ui';
import { type PluralForms } from '../../words/format';
import { useFormat } from '../../words/use-format';

export interface ListFootProps {
  readonly list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  /** The number of loaded rows. */
  readonly count: number;
  readonly forms: PluralForms;
  /** The text while there are more rows. Default: `forms`. */
  readonly more?: (count: string) => string;
}

/** The foot of a list: how many rows there are, and the button for the next ones. */
export function ListFoot({ list, count, forms, more }: ListFootProps) {
  const format = useFormat();
  return (
    <LoadMore
      status={list.hasNextPage && more ? more(format.number(count)) : format.plural(count, forms)}
      onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      busy={list.isFetchingNextPage}
    />
  );
}
