import { useId } from 'react';
import { classNames } from '../class-names';
import s from './charts.module.css';
import { type ChartTone } from './tone';

export interface MeterProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: number;
  /** Default 1. */
  readonly max?: number;
  /** Shown after the label, and read as the value: "$1.80 of $5.00". */
  readonly text: string;
  /** Above this part of `max` the bar has the colour of a problem. */
  readonly high?: number;
  readonly tone?: ChartTone;
}

/** The used part of an amount. */
export function Meter({ label, hideLabel, value, max = 1, text, high, tone = 'accent' }: MeterProps) {
  const id = useId();
  const isHigh = high !== undefined && value > high * max;
  return (
    <div className={s.gauge}>
      <div className={hideLabel ? 'visually-hidden' : s.rowHead}>
        <label htmlFor={id} className={s.rowLabel}>
          {label}
        </label>
        <span className={s.rowTotal}>{text}</span>
      </div>
      <meter
        id={id}
        className={classNames(s.meter, s[isHigh ? 'high' : tone])}
        min={0}
        max={max}
        value={value}
        aria-valuetext={text}
      >
        {text}
      </meter>
    </div>
  );
}
