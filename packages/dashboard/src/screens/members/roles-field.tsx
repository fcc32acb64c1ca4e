import { ORGANIZATION_ROLES, type OrganizationRole } from '@agate/client';
import { CheckboxGroup } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The roles that were chosen in a form. */
export const rolesOf = (values: FormData): OrganizationRole[] => values.getAll('roles') as OrganizationRole[];

export interface RolesFieldProps {
  readonly roles: readonly OrganizationRole[];
  /** The last Admin keeps the role. */
  readonly isLastAdmin?: boolean;
}

/** The group "Roles" of a form, each role with its meaning. */
export function RolesField({ roles, isLastAdmin = false }: RolesFieldProps) {
  const { members: words, roles: names } = useWords();
  return (
    <CheckboxGroup
      label={words.roles}
      name="roles"
      defaultValue={roles}
      options={ORGANIZATION_ROLES.map((role) => ({
        value: role,
        label: names[role],
        hint: words.meanings[role],
        disabledReason: isLastAdmin && role === 'ADMIN' ? words.lastAdminRole : undefined,
      }))}
    />
  );
}
