import s from './forms.module.css';

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly step: number;
  /** The value for screen readers, with its unit. */
  readonly valueText: string;
  readonly onValue: (value: number) => void;
}

/** Chooses a number between 0 and a maximum, beside a field for the exact number. */
export const Slider = ({ label, value, max, step, valueText, onValue }: SliderProps) => (
  <input
    type="range"
    className={s.slider}
    aria-label={label}
    aria-valuetext={valueText}
    min={0}
    max={max}
    step={step}
    value={value}
    onChange={({ target }) => onValue(target.valueAsNumber)}
  />
);
