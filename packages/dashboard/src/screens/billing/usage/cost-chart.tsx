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
  /** The days as people read them: "9 November". */
  readonly days: readonly string[];
  readonly series: readonly StackedSeries[];
  /** The text of a sum: "$1.20". */
  readonly format: (value: number) => string;
  readonly actions: ReactNode;
  /** Takes the place of bars without a height. */
  readonly empty: ReactNode;
}

const WIDTH = 10;
const HEIGHT = 100;

/** The name of a part of the chart, with its colour. */
export function MeterName({ id, children }: { readonly id: StackedSeries['id']; readonly children: ReactNode }) {
  return (
    <>
      <span className={classNames(styles.swatch, styles[id])} aria-hidden="true" />
      {children}
    </>
  );
}

/** The cost of each day, its parts one above the other, on one scale. The table below is its legend. A single bar would compare nothing. */
export function CostChart({ title, days, series, format, actions, empty }: CostChartProps) {
  const id = useId();
  const sums = days.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const highest = Math.max(...sums, 0);
  const used = sums.filter((sum) => sum > 0).length;
  return (
    <figure aria-labelledby={id} className={styles.figure}>
      <div className={styles.head}>
        <figcaption id={id} className={styles.title}>
          {title}
        </figcaption>
        {actions}
      </div>
      {used === 0 && empty}
      {used === 1 && <p>{`${days[sums.indexOf(highest)]}: ${format(highest)}`}</p>}
      {used > 1 && <Plot days={days} series={series} format={format} sums={sums} highest={highest} />}
    </figure>
  );
}

interface PlotProps extends Pick<CostChartProps, 'days' | 'series' | 'format'> {
  /** The cost of each day. */
  readonly sums: readonly number[];
  readonly highest: number;
}

function Plot({ days, series, format, sums, highest }: PlotProps) {
  const range = `${days[0] ?? ''} – ${days.at(-1) ?? ''}`;
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
          {days.map((day, index) => (
            <Day
              key={day}
              title={`${day}: ${format(sums[index] ?? 0)}`}
              x={index * WIDTH}
              scale={highest > 0 ? HEIGHT / highest : 0}
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
