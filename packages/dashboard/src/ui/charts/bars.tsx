import { type FocusEvent, type KeyboardEvent, type PointerEvent, type ReactNode, useId, useState } from 'react';
import { IconButton } from '../actions/icon-button';
import { classNames } from '../class-names';
import { Table } from '../data/table';
import { useUiWords } from '../ui-words';
import s from './charts.module.css';
import { type ChartTone } from './tone';

export interface BarSeries {
  readonly id: string;
  readonly label: string;
  /** Default `accent`. */
  readonly tone?: ChartTone;
  /** One value for each day, 0 or more. */
  readonly values: readonly number[];
  /** The text of a value: "1,204 MB". */
  readonly format: (value: number) => string;
  /** Shown after the label: the sum. */
  readonly total?: ReactNode;
}

export interface BarsProps {
  /** Name of the figure, and its heading. */
  readonly title: string;
  readonly hideTitle?: boolean;
  /** The days as the table shows them: "9 November". */
  readonly days: readonly string[];
  readonly series: readonly BarSeries[];
  /** Shown beside the button, for example a choice of months. */
  readonly actions?: ReactNode;
}

/** Bars by day, each series with its own scale, and the same as a table. The line above the bars is the highest value. */
export function Bars({ title, hideTitle, days, series, actions }: BarsProps) {
  const words = useUiWords();
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  const rows = days.map((day, index) => ({ day, index }));
  return (
    <figure aria-labelledby={id} className={classNames(s.figure, hideTitle && !actions && !asTable && s.bare)}>
      <div className={s.head}>
        <figcaption id={id} className={hideTitle ? 'visually-hidden' : s.title}>
          {title}
        </figcaption>
        {actions}
        <IconButton
          label={asTable ? words.showAsChart : words.showAsTable}
          icon={asTable ? 'chart' : 'table'}
          className={s.toggle}
          onClick={() => setAsTable(!asTable)}
        />
      </div>
      {asTable ? (
        <Table
          compact
          label={title}
          rows={rows}
          rowKey={({ day }) => day}
          columns={[
            { id: 'day', label: words.day, cell: ({ day }) => day },
            ...series.map((one) => ({
              id: one.id,
              label: one.label,
              align: 'end' as const,
              cell: ({ index }: { index: number }) => one.format(one.values[index] ?? 0),
            })),
          ]}
        />
      ) : (
        series.map((one) => <BarRow key={one.id} series={one} days={days} />)
      )}
    </figure>
  );
}

const WIDTH = 10;
const HEIGHT = 48;

/** The day whose value is shown: under the pointer, or chosen with the arrow keys. */
function useChosenDay(count: number) {
  const [chosen, setChosen] = useState<number>();
  const last = Math.max(count - 1, 0);
  const choose = (index: number): void => setChosen(Math.min(Math.max(index, 0), last));
  const leave = (): void => setChosen(undefined);
  const follow = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    choose(Math.floor(((clientX - left) / width) * count));
  };
  const step = (event: KeyboardEvent): void => {
    const at = chosen ?? last;
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  };
  const focus = ({ currentTarget }: FocusEvent<HTMLElement>): void => {
    if (currentTarget.matches(':focus-visible')) choose(last);
  };
  const handlers = {
    onPointerDown: follow,
    onPointerMove: follow,
    onPointerLeave: leave,
    onFocus: focus,
    onBlur: leave,
    onKeyDown: step,
  };
  return { chosen, last, handlers };
}

/** One series. The line above its bars is the highest value. */
function BarRow({ series, days }: { readonly series: BarSeries; readonly days: readonly string[] }) {
  const { label, tone = 'accent', values, format, total } = series;
  const { chosen, last, handlers } = useChosenDay(values.length);
  const highest = Math.max(...values, 0);
  const textOf = (index: number): string => `${days[index] ?? ''}: ${format(values[index] ?? 0)}`;
  return (
    <div className={s.row}>
      <div className={s.rowHead}>
        <span className={s.rowLabel}>{label}</span>
        <span className={s.rowTotal}>{chosen === undefined ? total : textOf(chosen)}</span>
      </div>
      <div className={s.scale} aria-hidden="true">
        {format(highest)}
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={chosen ?? last}
        aria-valuetext={textOf(chosen ?? last)}
        className={s.plot}
        {...handlers}
      >
        <svg
          aria-hidden="true"
          className={classNames(s.bars, s[tone])}
          viewBox={`0 0 ${Math.max(days.length, 1) * WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {values.map((value, index) => (
            <Bar key={index} at={index} part={highest > 0 ? value / highest : 0} isChosen={index === chosen} />
          ))}
        </svg>
      </div>
      <div className={s.axis} aria-hidden="true">
        <span>{days[0]}</span>
        {days.length > 4 && <span>{days[Math.floor((days.length - 1) / 2)]}</span>}
        <span>{days[days.length - 1]}</span>
      </div>
    </div>
  );
}

interface BarProps {
  readonly at: number;
  /** The height, 0 to 1. A value above 0 is visible. */
  readonly part: number;
  readonly isChosen: boolean;
}

function Bar({ at, part, isChosen }: BarProps) {
  const height = part > 0 ? Math.max(part * HEIGHT, 2) : 0;
  return (
    <>
      {isChosen && <rect className={s.chosen} x={at * WIDTH} width={WIDTH} height={HEIGHT} />}
      <rect x={at * WIDTH + 1.5} y={HEIGHT - height} width={WIDTH - 3} height={height} />
    </>
  );
}
