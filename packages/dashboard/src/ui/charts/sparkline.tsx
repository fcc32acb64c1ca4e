import s from './charts.module.css';

export interface SparklineProps {
  /** The chart in words: "Downloads in the last 14 days: 40". */
  readonly label: string;
  readonly values: readonly number[];
}

const HEIGHT = 16;

/** Small bars in a line of text. */
export function Sparkline({ label, values }: SparklineProps) {
  const highest = Math.max(...values, 1);
  return (
    <svg
      role="img"
      aria-label={label}
      className={s.sparkline}
      viewBox={`0 0 ${Math.max(values.length, 1) * 5} ${HEIGHT}`}
      width={values.length * 5}
      height={HEIGHT}
    >
      {values.map((value, index) => {
        const height = Math.max((value / highest) * HEIGHT, 1);
        return (
          <rect
            key={index}
            className={value > 0 ? undefined : s.none}
            x={index * 5}
            y={HEIGHT - height}
            width={4}
            height={height}
          />
        );
      })}
    </svg>
  );
}
