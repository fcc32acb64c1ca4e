import s from './feedback.module.css';

export interface ProgressProps {
  /** Name of the bar: the file. */
  readonly label: string;
  readonly hideLabel?: boolean;
  /** From 0 to `max`; absent while it is unknown. */
  readonly value?: number;
  /** Default 1. */
  readonly max?: number;
  /** Shown after the label: "62 %". */
  readonly text?: string;
}

/** The progress of a running task. */
export function Progress({ label, hideLabel, value, max = 1, text }: ProgressProps) {
  return (
    <div className={s.gauge}>
      {!hideLabel && (
        <div className={s.gaugeHead}>
          <span aria-hidden="true">{label}</span>
          {text && <span className={s.gaugeText}>{text}</span>}
        </div>
      )}
      <progress className={s.progress} aria-label={label} value={value} max={max} aria-valuetext={text} />
    </div>
  );
}
