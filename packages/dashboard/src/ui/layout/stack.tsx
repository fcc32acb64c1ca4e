import { type ComponentProps } from 'react';
import { classNames } from '../class-names';
import s from './layout.module.css';

export type Gap = 4 | 8 | 12 | 16 | 24 | 32 | 48;

export interface LayoutProps extends ComponentProps<'div'> {
  /** In pixels of the scale. */
  readonly gap?: Gap;
}

const gapClass = (gap: Gap): string | undefined => s[`gap${gap}`];

/** One below the other. Default gap 16. */
export function Stack({ gap = 16, className, ...rest }: LayoutProps) {
  return <div className={classNames(s.stack, gapClass(gap), className)} {...rest} />;
}

/** Side by side, wrapping. Default gap 8. */
export function Inline({ gap = 8, className, ...rest }: LayoutProps) {
  return <div className={classNames(s.inline, gapClass(gap), className)} {...rest} />;
}

/** Fields and buttons above a list: a search field grows, the others keep their size. Default gap 8. */
export function Toolbar({ gap = 8, className, ...rest }: LayoutProps) {
  return <div className={classNames(s.inline, s.toolbar, gapClass(gap), className)} {...rest} />;
}

/** Texts of a cell, one below the other. */
export function Lines({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={classNames(s.lines, className)} {...rest} />;
}

/** A picture, with a name or lines beside it. */
export function Identity({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={classNames(s.identity, className)} {...rest} />;
}

export interface ColumnsProps extends LayoutProps {
  /** `equal`: as many columns of at least 18 rem as fit. `aside`: a wide one and a narrow one of 20 rem. Default `equal`. */
  readonly shape?: 'equal' | 'aside';
}

/** Columns that collapse into one where there is not enough room. Default gap 16. */
export function Columns({ shape = 'equal', gap = 16, className, ...rest }: ColumnsProps) {
  return <div className={classNames(s.columns, s[shape], gapClass(gap), className)} {...rest} />;
}
