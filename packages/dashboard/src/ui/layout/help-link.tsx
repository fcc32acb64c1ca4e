import { createContext, useContext } from 'react';
import { Icon } from '../icons';
import { useUiWords } from '../ui-words';
import s from './layout.module.css';

const HelpPage = createContext<string | null>(null);

/** Sets the address of the page that explains the screens below it. */
export const HelpProvider = HelpPage.Provider;

/** A question mark that opens the page about the screen in a new tab. Nothing where no page is known. */
export function HelpLink() {
  const address = useContext(HelpPage);
  const { help } = useUiWords();
  if (address === null) return null;
  return (
    <a className={s.help} href={address} target="_blank" rel="noreferrer" aria-label={help} title={help}>
      <Icon name="help" />
    </a>
  );
}
