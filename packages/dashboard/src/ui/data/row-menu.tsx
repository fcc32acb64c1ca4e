import { Menu, type MenuProps } from '../overlays/menu';
import s from './data.module.css';

/** The menu at the end of a table's row. Where a row is a block, it stands beside what names the row. */
export function RowMenu(props: MenuProps) {
  return (
    <div className={s.rowMenu}>
      <Menu {...props} />
    </div>
  );
}
