import { classNames } from '../class-names';
import { useUiWords } from '../ui-words';
import { VisuallyHidden } from '../visually-hidden';
import s from './feedback.module.css';

export interface SkeletonProps {
  /** Default `lines`. */
  readonly shape?: 'lines' | 'rows' | 'cards';
  /** How many of them. Default 3. */
  readonly count?: number;
}

/** The shape of what is loading. It keeps its room from the start, and shows after 200 ms. */
export function Skeleton({ shape = 'lines', count = 3 }: SkeletonProps) {
  const words = useUiWords();
  return (
    <div aria-busy="true" className={classNames(s.skeleton, s[shape])}>
      <VisuallyHidden>{words.loading}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={s.bone} />
      ))}
    </div>
  );
}
