import { classNames } from '../ui/class-names';
import { useWords } from '../words/words-provider';

/** The shape of a screen that takes longer than 200 ms to load. Its styles and texts are there before any screen. */
export function Pending({ table = false }: { readonly table?: boolean }) {
  return (
    <div className={classNames('bones', table && 'table-bones')}>
      <p role="status" className="visually-hidden">
        {useWords().frame.loading}
      </p>
      <div className="bone" />
      {!table && <div className="bone" />}
    </div>
  );
}

export const PendingTable = () => <Pending table />;
