import { useNavigate } from '@tanstack/react-router';
import { useDeveloper } from '../queries/session';
import { api } from '../session/api';
import { keepTheme, THEMES, useTheme } from '../session/theme';
import { useLeave } from '../session/use-leave';
import { Menu } from '../ui';
import { LANGUAGES } from '../words/language';
import { useTexts } from '../words/words-provider';
import styles from './frame.module.css';

/** The developer's own screens, the looks of the dashboard, and the logout. */
export function AccountMenu() {
  const { words, language, changeLanguage } = useTexts();
  const developer = useDeveloper();
  const navigate = useNavigate();
  const theme = useTheme();
  const leave = useLeave();
  const logOut = async (): Promise<void> => {
    await api.request('POST /login/logout', { body: { only_this_session: true } });
    await leave();
  };
  return (
    <Menu
      label={words.frame.accountMenu}
      className={styles.switcher}
      trigger={<span className={styles.current} data-text={developer.name ?? developer.email} />}
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
