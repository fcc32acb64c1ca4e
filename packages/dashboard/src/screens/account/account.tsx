import { Stack, PageHeader } from '../../ui';
import { useTitle } from '../../frame/use-title';
import { AccountTabs } from '../../parts/account-tabs';
import { useWords } from '../../words/words-provider';
import { EmailCard } from './profile/email-card';
import { LooksCard } from './profile/looks-card';
import { PasswordCard } from './protection/password-card';
import { ProfileCard } from './profile/profile-card';
import styles from './account.module.css';

/** The developer's own name, address, password and settings. */
export function Account() {
  const words = useWords().account;
  useTitle(words.heading);
  return (
    <Stack>
      <PageHeader title={words.heading} />
      <AccountTabs />
      <Stack className={styles.cards}>
        <ProfileCard />
        <EmailCard />
        <PasswordCard />
        <LooksCard />
      </Stack>
    </Stack>
  );
}
