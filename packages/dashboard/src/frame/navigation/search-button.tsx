import { useWords } from '../../words/words-provider';
import { Icon } from '../../ui';
import styles from '../frame.module.css';
import { isCommandKeyboard } from '../keys/modifier';
import { openPalette } from '../palette/palette-state';

/** Opens the palette. */
export function SearchButton() {
  const words = useWords().frame;
  const isCommand = isCommandKeyboard();
  return (
    <button
      type="button"
      className={styles.search}
      aria-keyshortcuts={isCommand ? 'Meta+K' : 'Control+K'}
      onClick={openPalette}
    >
      <Icon name="search" />
      <span>{words.search}</span>
      <kbd aria-hidden="true">{isCommand ? words.paletteKeys.command : words.paletteKeys.control}</kbd>
    </button>
  );
}
