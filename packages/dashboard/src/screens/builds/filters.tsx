import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSearchText } from '../../parts/lists/use-search-text';
import { buildFacetsQuery } from '../../queries/project/builds';
import { channelChoicesQuery } from '../../queries/project/channel-choices';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, Inline, SearchField, Select, Stack, Toolbar } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './builds.module.css';

const FROM = '/member/o/$org/p/$project/builds';

/** The filters of the address that have no field, because links set them. */
const LINKED = ['channel', 'warning', 'installable'] as const;

interface Filters {
  readonly q?: string;
  readonly platform?: string;
  readonly version?: string;
  readonly branch?: string;
  readonly channel?: string;
  readonly warning?: string;
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
    setFilters({ q: undefined, platform: undefined, version: undefined, branch: undefined, ...NOTHING_LINKED });
  };
  return (
    <Stack gap={8}>
      <Toolbar role="search">
        <SearchField label={words.search} shortcut="/" value={text} onValue={setText} />
        <Choices />
        {isFiltered && <Button onClick={clear}>{words.clearFilters}</Button>}
      </Toolbar>
      {LINKED.some((name) => search[name] !== undefined) && <LinkedFilters />}
    </Stack>
  );
}

const NOTHING_LINKED: Filters = { channel: undefined, warning: undefined, installable: undefined };

/** The fields for the properties of the project's builds. */
function Choices() {
  const words = useWords().builds;
  const { scope } = useProjectPlace();
  const { platform, version, branch } = useSearch({ from: FROM });
  const setFilters = useSetFilters();
  const { data: facets } = useQuery(buildFacetsQuery(scope));
  const common = { hideLabel: true, className: styles.choices };
  return (
    <>
      <Select
        {...common}
        label={words.platform}
        value={platform ?? ''}
        onChange={(event) => setFilters({ platform: event.target.value || undefined })}
        options={options(words.allPlatforms, facets?.platforms, platform, words.platforms)}
      />
      <Select
        {...common}
        label={words.version}
        value={version ?? ''}
        onChange={(event) => setFilters({ version: event.target.value || undefined })}
        options={options(words.allVersions, facets?.versions, version)}
      />
      <Select
        {...common}
        label={words.branch}
        value={branch ?? ''}
        onChange={(event) => setFilters({ branch: event.target.value || undefined })}
        options={options(words.allBranches, facets?.branches, branch)}
      />
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
    installable: search.installable === 'true' ? words.build.installable : words.build.notInstallable,
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
