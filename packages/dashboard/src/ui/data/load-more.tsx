import { Button } from '../actions/button';
import { useUiWords } from '../ui-words';
import s from './data.module.css';

export interface LoadMoreProps {
  /** The number of rows: "50 builds". */
  readonly status: string;
  /** Absent when everything is loaded. */
  readonly onMore?: () => void;
  readonly busy?: boolean;
}

/** The foot of a list: how many rows there are, and the button for the next ones. */
export function LoadMore({ status, onMore, busy }: LoadMoreProps) {
  const words = useUiWords();
  return (
    <div className={s.more}>
      <div role="status" className={s.count}>
        {status}
      </div>
      {onMore && (
        <Button busy={busy} onClick={onMore}>
          {words.loadMore}
        </Button>
      )}
    </div>
  );
}
