import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../queries/client';
import { sessionQuery, useDeveloper } from '../queries/session';
import { api, noteSession } from '../session/api';
import { currentTheme, keepTheme, THEMES } from '../session/theme';
import { Menu } from '../ui';
import { LANGUAGES } from '../words/language';
import { useTexts } from '../words/words-provider';
import styles from './frame.module.css';

/** The developer's own screens, the looks of the dashboard, and the logout. */
export function AccountMenu() {
  const { words, language, changeLanguage } = useTexts();
  const developer = useDeveloper();
  const navigate = useNavigate();
  const [theme, setTheme] = useState(currentTheme);
  const logOut = async (): Promise<void> => {
    await api.request('POST /login/logout', { body: { only_this_session: true } });
    noteSession(false);
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, { state: 'none', developer: null, organizations: [] });
    await navigate({ to: '/login' });
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
            onSelect: () => {
              keepTheme(one);
              setTheme(one);
            },
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
