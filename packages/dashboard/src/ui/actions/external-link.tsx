import { type ComponentProps } from 'react';
import { Icon } from '../icons';
import { useUiWords } from '../ui-words';
import { VisuallyHidden } from '../visually-hidden';

export interface ExternalLinkProps extends ComponentProps<'a'> {
  readonly href: string;
  /** Where the same icon would follow the link in each row. */
  readonly hideIcon?: boolean;
}

/** A link to another site or to a page of the server, in a new tab. */
export function ExternalLink({ children, hideIcon, ...rest }: ExternalLinkProps) {
  const words = useUiWords();
  return (
    <a target="_blank" rel="noreferrer" {...rest}>
      {children}
      {!hideIcon && <Icon name="external" />}
      <VisuallyHidden> ({words.newTab})</VisuallyHidden>
    </a>
  );
}
