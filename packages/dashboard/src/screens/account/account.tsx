import { useTitle } from '../../frame/use-title';
import { AccountTabs } from '../../parts/account-tabs';
import { PageHeader, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './account.module.css';
import { EmailCard } from './profile/email-card';
import { LooksCard } from './profile/looks-card';
import { ProfileCard } from './profile/profile-card';
import { PasswordCard } from './protection/password-card';

/** The developer's own name, address, password and settings. */
export function Account() {
  const words = useWords().account;
  useTitle(words.heading);
  return (
    <Stack>
      <PageHeader title={words.heading} />
      <AccountTabs />
      <div className={styles.cards}>
        <Stack>
          <ProfileCard />
          <EmailCard />
          <PasswordCard />
        </Stack>
        <Stack>
          <LooksCard />
        </Stack>
      </div>
    </Stack>
  );
}
