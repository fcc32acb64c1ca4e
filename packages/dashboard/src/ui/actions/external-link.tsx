import { type ComponentProps } from 'react';
import { Icon } from '../icons';
import { useUiWords } from '../ui-words';
import { VisuallyHidden } from '../visually-hidden';

/** A link to another site or to a page of the server, in a new tab. */
export function ExternalLink({ children, ...rest }: ComponentProps<'a'> & { readonly href: string }) {
  const words = useUiWords();
  return (
    <a target="_blank" rel="noreferrer" {...rest}>
      {children} <Icon name="external" />
      <VisuallyHidden> ({words.newTab})</VisuallyHidden>
    </a>
  );
}
