import { useNavigate } from '@tanstack/react-router';
import { useOrganizations } from '../../queries/account/session';
import { Menu } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from '../frame.module.css';

/** Shows the organization that is open, and opens another one. */
export function OrganizationSwitcher({ organizationId }: { organizationId?: string }) {
  const words = useWords().frame;
  const organizations = useOrganizations();
  const navigate = useNavigate();
  const current = organizations.find(({ id }) => id === organizationId);
  return (
    <Menu
      label={words.switchOrganization}
      className={styles.switcher}
      trigger={<span className={styles.current} data-text={current?.name ?? words.product} />}
      items={[
        {
          label: words.organization,
          items: organizations.map(({ id, name }) => ({
            label: name,
            checked: id === organizationId,
            onSelect: () => void navigate({ to: '/o/$org', params: { org: id } }),
          })),
        },
        { label: words.newOrganization, onSelect: () => void navigate({ to: '/welcome' }) },
      ]}
    />
  );
}
