import { memo, type MouseEvent, type ReactNode } from 'react';
import { classNames } from '../class-names';
import { Checkbox, RowCheckbox } from '../forms/checkbox';
import { Icon } from '../icons';
import s from './data.module.css';

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** The cell that names the row. Default: the first column. */
  readonly rowHeader?: boolean;
  /** `end` for columns of numbers. */
  readonly align?: 'start' | 'end';
  /** `narrow` uses only the necessary width. A number is the width in rem, which fixes all columns: the others share what is left. */
  readonly width?: 'narrow' | 'wide' | FixedWidth;
  /** In a `brief` table, a value that explains itself has no label before it. */
  readonly plain?: boolean;
  /** In a `brief` table, the value that matters most: at the end of the line of the name, without a label. */
  readonly lead?: boolean;
  /** The whole text of a cell that stays in one line: it ends in an ellipsis where the column is too narrow. */
  readonly title?: (row: Row) => string | null | undefined;
  readonly sort?: { readonly direction: 'ascending' | 'descending' | null; readonly onSort: () => void };
}

/** Each has a class, because the policy of the page rejects styles in attributes. */
type FixedWidth = 4 | 6 | 8 | 10 | 12 | 16;

export interface Selection<Row> {
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  /** Name of a row's checkbox: "Select 2.1.0 (210)". */
  readonly rowLabel: (row: Row) => string;
  /** Name of the checkbox of all rows. */
  readonly allLabel: string;
}

export interface TableProps<Row> {
  /** Name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly selection?: Selection<Row>;
  /** Rows of 36 px instead of 44. */
  readonly compact?: boolean;
  /** Where each row is a block, its labels and values follow each other in lines, instead of one line for each. */
  readonly brief?: boolean;
  /** Dims the rows while newer ones are loaded. */
  readonly stale?: boolean;
}

// Explicit roles, because the narrow layout removes the table's own roles in some browsers.
/**
 * A table on a surface of its own, unless a card or dialog is around it. A press anywhere on a row opens the row: it follows the link of the
 * row header, or presses its button. Where there is not enough room for the columns, each row becomes a block with the labels before the
 * values.
 */
export function Table<Row>({ label, columns, rows, rowKey, selection, stale, ...look }: TableProps<Row>) {
  const isFixed = columns.some(({ width }) => typeof width === 'number');
  return (
    <div className={s.frame}>
      <table
        role="table"
        aria-label={label}
        aria-busy={stale || undefined}
        className={classNames(
          s.table,
          isFixed && s.fixed,
          look.compact && s.compact,
          look.brief && s.brief,
          look.brief && columns.some(({ lead }) => lead) && s.led,
          selection && s.selectable,
        )}
        onClick={openRow}
        onAuxClick={openRow}
      >
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" scope="col" className={s.pick}>
                <SelectAll selection={selection} keys={rows.map(rowKey)} />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          <Rows rows={rows} rowKey={rowKey} columns={columns} selection={selection} />
        </tbody>
      </table>
    </div>
  );
}

type RowsProps<Row> = Pick<TableProps<Row>, 'rows' | 'rowKey' | 'columns' | 'selection'>;

/** Rendered again only when one of its properties is another object: a list that only waits for newer rows renders none. */
const Rows = memo(function Rows<Row>({ rows, rowKey, columns, selection }: RowsProps<Row>) {
  const header = columns.find((column) => column.rowHeader) ?? columns[0];
  return rows.map((row) => {
    const key = rowKey(row);
    return (
      <tr key={key} role="row" data-row={key} aria-selected={selection?.selected.has(key)}>
        {selection && <SelectRow row={row} rowKey={key} selection={selection} />}
        {columns.map((column) => {
          const isHeader = column === header;
          const Cell = isHeader ? 'th' : 'td';
          return (
            <Cell
              key={column.id}
              role={isHeader ? 'rowheader' : 'cell'}
              scope={isHeader ? 'row' : undefined}
              className={cellClass(column)}
              data-label={isHeader || column.hideLabel ? undefined : column.label}
              data-plain={column.plain}
              data-lead={column.lead}
              title={column.title?.(row) ?? undefined}
            >
              {column.cell(row)}
            </Cell>
          );
        })}
      </tr>
    );
  });
}) as <Row>(props: RowsProps<Row>) => ReactNode;

interface SelectRowProps<Row> {
  readonly row: Row;
  readonly rowKey: string;
  readonly selection: Selection<Row>;
}

function SelectRow<Row>({ row, rowKey, selection: { selected, onSelect, rowLabel } }: SelectRowProps<Row>) {
  const pick = (on: boolean): void => {
    const next = new Set(selected);
    if (on) next.add(rowKey);
    else next.delete(rowKey);
    onSelect(next);
  };
  return (
    <td role="cell" className={s.pick}>
      <RowCheckbox label={rowLabel(row)} checked={selected.has(rowKey)} onChecked={pick} />
    </td>
  );
}

function cellClass<Row>({ align, width, title }: Column<Row>): string {
  const widthClass = typeof width === 'number' ? s[`width${width}`] : width && s[width];
  return classNames(align === 'end' && s.end, widthClass, title && s.oneLine);
}

/** Elements that act by themselves. A press on anything else in a row opens the row. */
const ACTS = 'a, button, input, label, select, textarea, summary, dialog, [popover], [role="menu"]';
const OPENERS = '[role="rowheader"] a[href], [role="rowheader"] button';

/** Opens the row that is pressed, in a new tab with the keys and buttons that open links so. A press that selects text opens nothing. */
function openRow(event: MouseEvent<HTMLTableElement>): void {
  const { target, button, ctrlKey, metaKey, shiftKey } = event;
  if (!(target instanceof Element) || button > 1 || target.closest(ACTS) || String(getSelection()) !== '') return;
  const opener = target.closest('tbody tr')?.querySelector<HTMLElement>(OPENERS);
  if (!opener) return;
  if (button === 1 || ctrlKey || metaKey || shiftKey) {
    if (opener instanceof HTMLAnchorElement) open(opener.href);
  } else opener.click();
}

function HeaderCell<Row>({ column }: { readonly column: Column<Row> }) {
  const { label, hideLabel, sort } = column;
  return (
    <th
      role="columnheader"
      scope="col"
      className={cellClass(column)}
      aria-sort={sort ? (sort.direction ?? 'none') : undefined}
    >
      {sort ? (
        <button type="button" className={s.sort} onClick={sort.onSort}>
          {label}
          {sort.direction && <Icon name={sort.direction === 'ascending' ? 'chevron-up' : 'chevron-down'} />}
        </button>
      ) : (
        <span className={hideLabel ? 'visually-hidden' : undefined}>{label}</span>
      )}
    </th>
  );
}

function SelectAll<Row>({ selection, keys }: { readonly selection: Selection<Row>; readonly keys: readonly string[] }) {
  const { selected, onSelect, allLabel } = selection;
  const count = keys.filter((key) => selected.has(key)).length;
  const all = keys.length > 0 && count === keys.length;
  return (
    <Checkbox
      hideLabel
      label={allLabel}
      checked={all}
      indeterminate={count > 0 && !all}
      onChange={() => onSelect(new Set(all ? [] : keys))}
    />
  );
}
