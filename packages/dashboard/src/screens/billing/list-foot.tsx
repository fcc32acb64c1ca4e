import { LoadMore } from '../../ui';
import { type PluralForms } from '../../words/format';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

interface ListFootProps {
  readonly count: number;
  readonly forms: PluralForms;
  /** What is said while there are more. */
  readonly loaded: (count: string) => string;
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** How many rows there are, and the button for the next ones. */
export function ListFoot({ count, forms, loaded, list }: ListFootProps) {
  const words = useWords().billing;
  const format = useFormat();
  return (
    <LoadMore
      status={list.hasNextPage ? loaded(format.number(count)) : format.plural(count, forms)}
      label={words.loadMore}
      onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      busy={list.isFetchingNextPage}
    />
  );
}
