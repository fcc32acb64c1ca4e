import { type ReactNode, useState } from 'react';
import { Button, Dialog, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './filter-sheet.module.css';

export interface FilterSheetProps {
  /** The number of filters that are set. */
  readonly count: number;
  /** Removes all filters. Undefined when none is set. */
  readonly onClear: (() => void) | undefined;
  /** The fields. In the sheet their labels are shown. */
  readonly children: (hideLabel: boolean) => ReactNode;
}

/** The filters of a list, in its toolbar. A phone shows one button with the number of set filters, which opens them in a sheet. */
export function FilterSheet({ count, onClear, children }: FilterSheetProps) {
  const words = useWords().frame.filters;
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  return (
    <>
      <div className={styles.choices}>
        {children(true)}
        {onClear && <Button onClick={onClear}>{words.clear}</Button>}
      </div>
      <Button icon="filter" className={styles.opener} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {words.button(count)}
      </Button>
      {isOpen && (
        <Dialog
          title={words.button(0)}
          onClose={close}
          footer={
            <>
              {onClear && <Button onClick={onClear}>{words.clear}</Button>}
              <Button variant="primary" onClick={close}>
                {words.show}
              </Button>
            </>
          }
        >
          <Stack>{children(false)}</Stack>
        </Dialog>
      )}
    </>
  );
}
