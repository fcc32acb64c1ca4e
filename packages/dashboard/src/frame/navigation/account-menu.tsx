import { useNavigate } from '@tanstack/react-router';
import { useDeveloper } from '../../queries/account/session';
import { keepTheme, THEMES, useTheme } from '../../session/choices/theme';
import { logOut } from '../../session/log-out';
import { Avatar, Menu } from '../../ui';
import { LANGUAGES } from '../../words/language';
import { useTexts } from '../../words/words-provider';
import styles from '../frame.module.css';

/** The developer's own screens, the appearance of the dashboard, and the logout. */
export function AccountMenu() {
  const { words, language, changeLanguage } = useTexts();
  const developer = useDeveloper();
  const navigate = useNavigate();
  const theme = useTheme();
  const name = developer.name ?? developer.email;
  return (
    <Menu
      label={words.frame.accountMenu}
      className={styles.switcher}
      variant="quiet"
      trigger={
        <>
          <Avatar name={name} size={24} />
          <span className={styles.current} data-text={name} />
        </>
      }
      items={[
        { label: words.frame.account, onSelect: () => void navigate({ to: '/account' }) },
        {
          label: words.frame.theme,
          items: THEMES.map((one) => ({
            label: words.frame.themes[one],
            checked: one === theme,
            onSelect: () => keepTheme(one),
          })),
        },
        {
          label: words.frame.language,
          items: LANGUAGES.map((one) => ({
            label: words.frame.languages[one],
            checked: one === language,
            onSelect: () => void changeLanguage(one),
          })),
        },
        { label: words.frame.logOut, onSelect: () => void logOut() },
      ]}
    />
  );
}
