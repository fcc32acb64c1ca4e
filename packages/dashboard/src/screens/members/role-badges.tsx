import { type OrganizationRole } from '@agate/client';
import { Badge } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './members.module.css';

/** The roles of a member as words. */
export function RoleBadges({ roles }: { roles: readonly OrganizationRole[] }) {
  const words = useWords().roles;
  return (
    <span className={styles.badges}>
      {roles.map((role) => (
        <Badge key={role} tone={role === 'ADMIN' ? 'accent' : 'neutral'}>
          {words[role]}
        </Badge>
      ))}
    </span>
  );
}
