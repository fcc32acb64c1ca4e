import { Avatar, Badge } from '../../ui';
import styles from './member-name.module.css';

export interface MemberNameProps {
  readonly member: { readonly developer_id: string; readonly name: string | null; readonly email: string };
  /** The label of the developer who is logged in. */
  readonly youLabel?: string;
}

/** The display name of a member: the name, or the address when there is none. */
export const nameOf = ({ name, email }: Pick<MemberNameProps['member'], 'name' | 'email'>): string => name ?? email;

/** A member in a list: picture, name and address. */
export function MemberName({ member, youLabel }: MemberNameProps) {
  const { developer_id, name, email } = member;
  return (
    <span className={styles.member}>
      <Avatar name={nameOf(member)} size={24} />
      <span className={styles.lines}>
        <span id={`member-${developer_id}`} className={styles.name}>
          {nameOf(member)}
        </span>
        {youLabel && <Badge>{youLabel}</Badge>}
        {name !== null && <span className={styles.email}>{email}</span>}
      </span>
    </span>
  );
}
