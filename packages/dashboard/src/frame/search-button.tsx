import { useWords } from '../words/words-provider';
import { Icon } from '../ui';
import styles from './frame.module.css';
import { openPalette } from './palette-state';

/** Opens the palette. */
export function SearchButton() {
  return (
    <button type="button" className={styles.search} aria-keyshortcuts="Control+K" onClick={openPalette}>
      <Icon name="search" />
      <span>{useWords().frame.search}</span>
      <kbd aria-hidden="true">Ctrl K</kbd>
    </button>
  );
}
