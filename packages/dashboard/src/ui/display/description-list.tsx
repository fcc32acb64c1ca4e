import { type ReactNode } from 'react';
import { classNames } from '../class-names';
import s from './display.module.css';
import { ReachedTimes } from './time';

export interface Fact {
  readonly label: string;
  /** Facts without a value are left out. */
  readonly value: ReactNode;
  /** For ids, hashes and versions. */
  readonly mono?: boolean;
}

export interface DescriptionListProps {
  readonly items: readonly Fact[];
  /** Puts each value below its label. */
  readonly stacked?: boolean;
}

/** Facts as labels and values. */
export function DescriptionList({ items, stacked }: DescriptionListProps) {
  const shown = items.filter(({ value }) => value !== null && value !== undefined && value !== '');
  return (
    <dl className={classNames(s.facts, stacked && s.stacked)}>
      {shown.map(({ label, value, mono }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={mono ? 'mono' : undefined}>
            <ReachedTimes value>{value}</ReachedTimes>
          </dd>
        </div>
      ))}
    </dl>
  );
}
