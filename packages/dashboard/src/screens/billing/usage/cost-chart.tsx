import { type ReactNode, useId } from 'react';
import { classNames } from '../../../ui';
import styles from './cost-chart.module.css';

export interface StackedSeries {
  readonly id: 'upload' | 'download' | 'storage';
  /** The cost of each day, 0 or more. */
  readonly values: readonly number[];
}

interface CostChartProps {
  readonly title: string;
  /** The days of the month as people read them: "9 November". */
  readonly days: readonly string[];
  /** The number of the days that have started. */
  readonly started: number;
  readonly series: readonly StackedSeries[];
  /** The text of a sum: "$1.20". */
  readonly format: (value: number) => string;
  readonly actions: ReactNode;
  /** Takes the place of bars without a height. */
  readonly empty: ReactNode;
}

const WIDTH = 10;
const HEIGHT = 100;
/** The chart is as high as a cent at least, so that less than a cent does not fill it. */
const LEAST_SCALE = 10_000;
/** A cost is visible, however small. */
const LEAST_HEIGHT = 3;

/** The name of a part of the chart, with its colour. */
export function MeterName({ id, children }: { readonly id: StackedSeries['id']; readonly children: ReactNode }) {
  return (
    <>
      <span className={classNames(styles.swatch, styles[id])} aria-hidden="true" />
      {children}
    </>
  );
}

/** The cost of each day, its parts one above the other, on one scale. The table below is its legend. */
export function CostChart({ title, actions, empty, ...plot }: CostChartProps) {
  const id = useId();
  const isEmpty = plot.series.every(({ values }) => values.every((value) => value === 0));
  return (
    <figure aria-labelledby={id} className={styles.figure}>
      <div className={styles.head}>
        <figcaption id={id} className={styles.title}>
          {title}
        </figcaption>
        {actions}
      </div>
      {isEmpty ? empty : <Plot {...plot} />}
    </figure>
  );
}

function Plot({ days, series, format, started }: Pick<CostChartProps, 'days' | 'series' | 'format' | 'started'>) {
  const sums = days.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const highest = Math.max(...sums, LEAST_SCALE);
  const range = `${days[0] ?? ''} – ${days[started - 1] ?? ''}`;
  return (
    <>
      <div className={styles.plot}>
        <span className={styles.highest} aria-hidden="true">
          {format(highest)}
        </span>
        <svg
          role="img"
          aria-label={`${range}: ${format(sums.reduce((all, sum) => all + sum, 0))}`}
          className={styles.bars}
          viewBox={`0 0 ${Math.max(days.length, 1) * WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {days.slice(0, started).map((day, index) => (
            <Day
              key={day}
              title={`${day}: ${format(sums[index] ?? 0)}`}
              x={index * WIDTH}
              scale={scaleOf(sums[index] ?? 0, highest)}
              series={series}
              index={index}
            />
          ))}
        </svg>
      </div>
      <div className={styles.axis} aria-hidden="true">
        <span>{days[0]}</span>
        {days.length > 4 && <span>{days[Math.floor((days.length - 1) / 2)]}</span>}
        <span>{days.at(-1)}</span>
      </div>
    </>
  );
}

/** The height of a micro-dollar in the bar of a day. */
const scaleOf = (sum: number, highest: number): number => Math.max(HEIGHT / highest, sum > 0 ? LEAST_HEIGHT / sum : 0);

interface DayProps {
  readonly title: string;
  readonly x: number;
  /** The height of a micro-dollar. */
  readonly scale: number;
  readonly series: readonly StackedSeries[];
  readonly index: number;
}

function Day({ title, x, scale, series, index }: DayProps) {
  let below = 0;
  return (
    <g className={styles.day}>
      <title>{title}</title>
      <rect className={styles.hit} x={x} width={WIDTH} height={HEIGHT} />
      {series.map(({ id, values }) => {
        const height = (values[index] ?? 0) * scale;
        below += height;
        return (
          height > 0 && (
            <rect key={id} className={styles[id]} x={x + 1.5} y={HEIGHT - below} width={WIDTH - 3} height={height} />
          )
        );
      })}
    </g>
  );
}
