import { ORGANIZATION_ROLES } from '@agate/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSearchText } from '../../parts/lists/use-search-text';
import { type Member } from '../../queries/organization/members';
import { SearchField, Select, Toolbar } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The filter of the members, which is in the address, and the test of one member by it. */
export function useMembersFilter() {
  const { q = '', role } = useSearch({ from: '/member/o/$org/members' });
  const navigate = useNavigate({ from: '/o/$org/members' });
  const parts = q.toLowerCase().split(/\s+/).filter(Boolean);
  return {
    isFiltered: parts.length > 0 || role !== undefined,
    matches: ({ name, email, roles }: Member): boolean => {
      const text = `${name ?? ''} ${email}`.toLowerCase();
      return parts.every((part) => text.includes(part)) && (role === undefined || roles.some((one) => one === role));
    },
    clear: () => void navigate({ search: {} }),
  };
}

/** A text of the name or address, and a role. */
export function MembersFilter() {
  const { members: words, roles } = useWords();
  const { q = '', role = '' } = useSearch({ from: '/member/o/$org/members' });
  const navigate = useNavigate({ from: '/o/$org/members' });
  const [text, setText] = useSearchText(
    q,
    (typed) => void navigate({ search: (before) => ({ ...before, q: typed || undefined }), replace: true }),
  );
  return (
    <Toolbar role="search">
      <SearchField label={words.search} shortcut="/" value={text} onValue={setText} />
      <Select
        label={words.role}
        hideLabel
        value={role}
        onChange={({ target }) =>
          void navigate({ search: (before) => ({ ...before, role: target.value || undefined }) })
        }
        options={[
          { value: '', label: words.allRoles },
          ...ORGANIZATION_ROLES.map((value) => ({ value, label: roles[value] })),
        ]}
      />
    </Toolbar>
  );
}
