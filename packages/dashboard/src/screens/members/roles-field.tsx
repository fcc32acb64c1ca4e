import { type OrganizationRole } from '@agate/client';
import { CheckboxGroup, type GroupOption, RadioGroup } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The access to projects. Each role includes the ones before it, so that a member needs one. */
const ACCESS = ['MEMBER', 'READ', 'MANAGER', 'ADMIN'] as const satisfies readonly OrganizationRole[];
/** Independent of the access to projects. */
const BESIDES = ['AUDITOR', 'BILLING'] as const satisfies readonly OrganizationRole[];

/** The roles that were chosen in a form: one access, and what is added to it. */
export const rolesOf = (values: FormData): OrganizationRole[] =>
  [values.get('access'), ...values.getAll('roles')] as OrganizationRole[];

export interface RolesFieldProps {
  readonly roles: readonly OrganizationRole[];
  /** The last Admin keeps the role. */
  readonly isLastAdmin?: boolean;
}

/** The roles of a form, each with its meaning. A member without access to projects has the one of MEMBER, which gives none by itself. */
export function RolesField({ roles, isLastAdmin = false }: RolesFieldProps) {
  const { members: words, roles: names } = useWords();
  const optionOf = (value: OrganizationRole): GroupOption => ({
    value,
    label: names[value],
    hint: words.meanings[value],
  });
  return (
    <>
      <RadioGroup
        label={words.access}
        name="access"
        defaultValue={ACCESS.findLast((access) => roles.includes(access)) ?? 'MEMBER'}
        options={ACCESS.map((role) => ({
          ...optionOf(role),
          disabledReason: isLastAdmin && role !== 'ADMIN' ? words.lastAdminRole : undefined,
        }))}
      />
      <CheckboxGroup label={words.besides} name="roles" defaultValue={roles} options={BESIDES.map(optionOf)} />
    </>
  );
}
