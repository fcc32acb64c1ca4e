import { Link } from '@tanstack/react-router';
import { Tabs } from '../ui';
import { useWords } from '../words/words-provider';

/** Links to the four pages of the developer's own account. */
export function AccountTabs() {
  const { label, account, security, tokens, data } = useWords().account.tabs;
  return (
    <Tabs label={label}>
      <Link to="/account" activeOptions={{ exact: true }}>
        {account}
      </Link>
      <Link to="/account/security">{security}</Link>
      <Link to="/account/tokens">{tokens}</Link>
      <Link to="/account/data">{data}</Link>
    </Tabs>
  );
}
