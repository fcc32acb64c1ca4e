import { PROJECT_ROLES, type ProjectRole } from '@agate/client';
import { RadioGroup } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The role that was chosen in a form. */
export const roleOf = (values: FormData): ProjectRole => values.get('role') as ProjectRole;

/** The choice of a role in a project, each with its meaning. */
export function RoleField({ role }: { role: ProjectRole }) {
  const { access: words, roles } = useWords();
  return (
    <RadioGroup
      label={words.role}
      name="role"
      defaultValue={role}
      options={PROJECT_ROLES.map((value) => ({ value, label: roles[value], hint: words.meanings[value] }))}
    />
  );
}
