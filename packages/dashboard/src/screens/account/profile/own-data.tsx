import { useTitle } from '../../../frame/use-title';
import { AccountTabs } from '../../../parts/account-tabs';
import { PageHeader, Stack } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../account.module.css';
import { DeleteAccountCard } from './delete-account-card';
import { ExportCard } from './export-card';

/** The developer's data: to export, or to delete. */
export function OwnData() {
  const words = useWords().account.data;
  useTitle(words.heading);
  return (
    <Stack>
      <PageHeader title={words.heading} />
      <AccountTabs />
      <div className={styles.cards}>
        <ExportCard />
        <DeleteAccountCard />
      </div>
    </Stack>
  );
}
