import { useTitle } from '../../frame/use-title';
import { AccountTabs } from '../../parts/account-tabs';
import { PageHeader, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { MfaCard } from './protection/mfa-card';
import { SessionsCard } from './protection/sessions-card';

/** The second factor and the sessions of the developer. */
export function Security() {
  const words = useWords().account.security;
  useTitle(words.heading);
  return (
    <Stack>
      <PageHeader title={words.heading} />
      <AccountTabs />
      <MfaCard />
      <SessionsCard />
    </Stack>
  );
}
