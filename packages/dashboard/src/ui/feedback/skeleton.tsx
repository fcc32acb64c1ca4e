import { classNames } from '../class-names';
import { useUiWords } from '../ui-words';
import { VisuallyHidden } from '../visually-hidden';
import s from './feedback.module.css';

export interface SkeletonProps {
  /** Default `lines`. */
  readonly shape?: 'lines' | 'rows' | 'cards';
  /** The number of them. Default 3. */
  readonly count?: number;
}

/** The shape of the loading content. It occupies its room from the start, and appears after 200 ms. */
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
