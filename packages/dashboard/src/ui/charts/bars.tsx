import { type ReactNode, useId, useState } from 'react';
import { Button } from '../actions/button';
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

/** Bars by day, each series with its own scale, and the same as a table. */
export function Bars({ title, hideTitle, days, series, actions }: BarsProps) {
  const words = useUiWords();
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  const rows = days.map((day, index) => ({ day, index }));
  return (
    <figure aria-labelledby={id} className={s.figure}>
      <div className={s.head}>
        <figcaption id={id} className={hideTitle ? 'visually-hidden' : s.title}>
          {title}
        </figcaption>
        {actions}
        <Button
          variant="quiet"
          icon={asTable ? 'chart' : 'table'}
          className={s.toggle}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? words.showAsChart : words.showAsTable}
        </Button>
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

function BarRow({ series, days }: { readonly series: BarSeries; readonly days: readonly string[] }) {
  const { label, tone = 'accent', values, format, total } = series;
  const pattern = useId();
  const highest = Math.max(...values, 0);
  return (
    <div className={s.row}>
      <div className={s.rowHead}>
        <span className={s.rowLabel}>{label}</span>
        {total && <span className={s.rowTotal}>{total}</span>}
      </div>
      <svg
        role="img"
        aria-label={`${label}: ${[0, values.length - 1]
          .map((index) => `${days[index] ?? ''} ${format(values[index] ?? 0)}`)
          .join(' – ')}`}
        className={classNames(s.bars, s[tone])}
        viewBox={`0 0 ${Math.max(days.length, 1) * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <defs>
          <Pattern id={pattern} tone={tone} />
        </defs>
        {values.map((value, index) => {
          const height = highest > 0 ? Math.max((value / highest) * (HEIGHT - 2), value > 0 ? 2 : 0) : 0;
          return (
            <g key={index} className={s.bar}>
              <title>{`${days[index] ?? ''}: ${format(value)}`}</title>
              <rect className={s.hit} x={index * WIDTH} width={WIDTH} height={HEIGHT} />
              <rect
                fill={`url(#${pattern})`}
                x={index * WIDTH + 1.5}
                y={HEIGHT - height}
                width={WIDTH - 3}
                height={height}
              />
            </g>
          );
        })}
      </svg>
      <div className={s.axis} aria-hidden="true">
        <span>{days[0]}</span>
        <span>{days[days.length - 1]}</span>
      </div>
    </div>
  );
}

function Pattern({ id, tone }: { readonly id: string; readonly tone: ChartTone }) {
  return (
    <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse">
      <rect width="4" height="4" fill="currentColor" />
      {tone === 'download' && <path d="M0 4L4 0" className={s.mark} />}
      {tone === 'storage' && <path d="M0 2H4" className={s.mark} />}
    </pattern>
  );
}
