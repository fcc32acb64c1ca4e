import { classNames } from '../class-names';
import { Icon } from '../icons';
import { useUiWords } from '../ui-words';
import { VisuallyHidden } from '../visually-hidden';
import s from './display.module.css';

export interface Step {
  readonly label: string;
  readonly state: 'done' | 'current' | 'todo';
}

export interface StepsProps {
  /** Name of the list: "Steps". */
  readonly label: string;
  readonly items: readonly Step[];
}

/** The current step of a short sequence. */
export function Steps({ label, items }: StepsProps) {
  const words = useUiWords();
  return (
    <ol role="list" aria-label={label} className={s.steps}>
      {items.map((step, index) => (
        <li
          key={step.label}
          className={classNames(s.step, s[step.state])}
          aria-current={step.state === 'current' ? 'step' : undefined}
        >
          <span className={s.stepMark} aria-hidden="true">
            {step.state === 'done' ? <Icon name="check" /> : index + 1}
          </span>
          {step.label}
          {step.state === 'done' && <VisuallyHidden> ({words.done})</VisuallyHidden>}
        </li>
      ))}
    </ol>
  );
}
