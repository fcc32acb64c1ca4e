import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId } from 'react';
import { FilterSheet } from '../../parts/lists/filter-sheet';
import { useSearchText } from '../../parts/lists/use-search-text';
import { buildFacetsQuery } from '../../queries/project/builds';
import { channelChoicesQuery } from '../../queries/project/channel-choices';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, Inline, SearchField, Select, Stack, TextField, Toolbar } from '../../ui';
import { useWords } from '../../words/words-provider';

const FROM = '/member/o/$org/p/$project/builds';

/** The filters of the address that have no field, because links set them. */
const LINKED = ['channel', 'warning'] as const;

interface Filters {
  readonly q?: string;
  readonly platform?: string;
  readonly version?: string;
  readonly branch?: string;
  readonly channel?: string;
  readonly warning?: string;
  readonly warnings?: string;
  readonly installable?: string;
}

function useSetFilters(): (changes: Filters, replace?: boolean) => void {
  const navigate = useNavigate({ from: '/o/$org/p/$project/builds' });
  return (changes, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace, resetScroll: false });
}

/** Search and filters above the list. All of them are in the address. */
export function BuildFiltersBar({ isFiltered }: { isFiltered: boolean }) {
  const words = useWords().builds;
  const search = useSearch({ from: FROM });
  const setFilters = useSetFilters();
  const [text, setText] = useSearchText(search.q ?? '', (q) => setFilters({ q: q || undefined }, true));
  const clear = (): void => {
    setText('');
    setFilters(NO_FILTERS);
  };
  return (
    <Stack gap={8}>
      <Toolbar role="search">
        <SearchField label={words.search} shortcut="/" value={text} onValue={setText} />
        <FilterSheet count={countOf(search)} onClear={isFiltered ? clear : undefined}>
          {(hideLabel) => <Choices hideLabel={hideLabel} />}
        </FilterSheet>
      </Toolbar>
      {LINKED.some((name) => search[name] !== undefined) && <LinkedFilters />}
    </Stack>
  );
}

const NO_FILTERS: Filters = {
  q: undefined,
  platform: undefined,
  version: undefined,
  branch: undefined,
  channel: undefined,
  warning: undefined,
  warnings: undefined,
  installable: undefined,
};

/** The number of filters that are set by a field. */
const countOf = ({ platform, version, branch, warnings, installable }: Filters): number =>
  [platform, version, branch, warnings ?? installable].filter((value) => value !== undefined).length;

/** The fields for the properties of the project's builds. */
function Choices({ hideLabel }: { hideLabel: boolean }) {
  const words = useWords().builds;
  const { scope } = useProjectPlace();
  const { platform, version, installable, warnings } = useSearch({ from: FROM });
  const setFilters = useSetFilters();
  const { data: facets } = useQuery(buildFacetsQuery(scope));
  // The router reads `true` and `false` in an address as booleans.
  const problem = String(installable) === 'false' ? 'blocked' : String(warnings) === 'true' ? 'warnings' : '';
  return (
    <>
      <Select
        hideLabel={hideLabel}
        label={words.platform}
        value={platform ?? ''}
        onChange={(event) => setFilters({ platform: event.target.value || undefined })}
        options={options(words.allPlatforms, facets?.platforms, platform, words.platforms)}
      />
      <Select
        hideLabel={hideLabel}
        label={words.version}
        value={version ?? ''}
        onChange={(event) => setFilters({ version: event.target.value || undefined })}
        options={options(words.allVersions, facets?.versions, version)}
      />
      <BranchChoice hideLabel={hideLabel} branches={facets?.branches} />
      <Select
        hideLabel={hideLabel}
        label={words.problems}
        value={problem}
        onChange={({ target: { value } }) =>
          setFilters({
            installable: value === 'blocked' ? 'false' : undefined,
            warnings: value === 'warnings' ? 'true' : undefined,
          })
        }
        options={[
          { value: '', label: words.anyState },
          { value: 'blocked', label: words.blocked },
          { value: 'warnings', label: words.warned },
        ]}
      />
    </>
  );
}

/** The number of branches from which on they are searched instead of listed. */
const MANY_BRANCHES = 30;

interface BranchChoiceProps {
  readonly branches: readonly { value: string }[] | undefined;
  readonly hideLabel: boolean;
}

/** The branch: a list, or a field with suggestions in a project with many. Enter takes the first branch that contains the text. */
function BranchChoice({ branches = [], hideLabel }: BranchChoiceProps) {
  const words = useWords().builds;
  const { branch = '' } = useSearch({ from: FROM });
  const setFilters = useSetFilters();
  const listId = useId();
  if (branches.length < MANY_BRANCHES)
    return (
      <Select
        hideLabel={hideLabel}
        label={words.branch}
        value={branch}
        onChange={(event) => setFilters({ branch: event.target.value || undefined })}
        options={options(words.allBranches, branches, branch || undefined)}
      />
    );
  const find = (text: string): string | undefined =>
    branches.find(({ value }) => value.toLowerCase().includes(text.toLowerCase()))?.value;
  const choose = (text: string): void => {
    if (text !== branch) setFilters({ branch: text || undefined });
  };
  return (
    <>
      <TextField
        hideLabel={hideLabel}
        key={branch}
        label={words.branch}
        placeholder={words.allBranches}
        title={branch}
        list={listId}
        autoComplete="off"
        spellCheck={false}
        defaultValue={branch}
        onChange={({ target: { value } }) => {
          if (value === '' || branches.some((one) => one.value === value)) choose(value);
        }}
        onKeyDown={({ key, currentTarget: { value } }) => {
          if (key === 'Enter') choose(find(value) ?? value);
        }}
      />
      <datalist id={listId}>
        {branches.map(({ value }) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </>
  );
}

/** The values to choose from. A chosen value may be missing among the latest. */
function options(
  all: string,
  facets: readonly { value: string }[] = [],
  chosen: string | undefined,
  labels: Readonly<Record<string, string>> = {},
) {
  const values = new Set([...facets.map(({ value }) => value), ...(chosen === undefined ? [] : [chosen])]);
  return [{ value: '', label: all }, ...[...values].map((value) => ({ value, label: labels[value] ?? value }))];
}

/** The filters that a link has set. Each is a button that removes the filter. */
function LinkedFilters() {
  const words = useWords();
  const { scope } = useProjectPlace();
  const search = useSearch({ from: FROM });
  const setFilters = useSetFilters();
  const { data: channels } = useQuery({ ...channelChoicesQuery(scope), enabled: search.channel !== undefined });
  const texts = {
    channel: words.builds.inChannel(channels?.find(({ id }) => id === search.channel)?.name ?? '…'),
    warning: words.builds.withWarning(words.build.warning.names[search.warning ?? ''] ?? search.warning ?? ''),
  };
  return (
    <Inline>
      {LINKED.filter((name) => search[name] !== undefined).map((name) => (
        <Button
          key={name}
          icon="close"
          iconAtEnd
          aria-label={words.builds.removeFilter(texts[name])}
          onClick={() => setFilters({ [name]: undefined })}
        >
          {texts[name]}
        </Button>
      ))}
    </Inline>
  );
}
