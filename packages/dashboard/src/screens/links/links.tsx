import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { LoadError } from '../../parts/lists/load-error';
import { useDialog } from '../../parts/use-dialog';
import { keyOf } from '../../queries/keys';
import { type Link, linksQuery, type LinkTarget } from '../../queries/project/links';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Badge, Button, Card, type Column, Inline, LoadMore, Skeleton, Table } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { LinkActs, LinkAddress } from './link-acts';
import { LinkDialog, type TypedLink } from './link-dialog';
import styles from './links.module.css';
import { useNameOfLink } from './use-name-of-link';

/** The button that opens the dialog for a new link. The address stores that it is open. */
export function NewLinkButton() {
  const words = useWords().links;
  const { organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('POST /links');
  const { open } = useDialog('new');
  return (
    <Button variant="primary" icon="plus" disabledReason={reason} onClick={() => open('1')}>
      {words.add}
    </Button>
  );
}

/** The links of a build or channel with their rules and counts, and the dialogs that change them. */
export function Links({ target }: { readonly target: LinkTarget }) {
  const words = useWords().links;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const edit = useDialog('edit');
  const { data: links, error, refetch } = useQuery(linksQuery(scope, target));
  const changed = async (): Promise<void> => {
    // The build or channel shows the address of its default link.
    const names = ['links', target.kind, `${target.kind}s`] as const;
    await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: keyOf(name) })));
  };
  const columns = useColumns({ onEdit: edit.open, onChanged: changed });
  if (!links)
    return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Skeleton shape="rows" count={3} />;
  return (
    <>
      <Card title={words.list} hideTitle flush>
        <Table brief label={words.list} columns={columns} rows={links} rowKey={({ id }) => id} />
      </Card>
      <LoadMore status={format.plural(links.length, words.count)} />
      <Dialogs target={target} links={links} onChanged={changed} />
    </>
  );
}

interface DialogsProps {
  readonly target: LinkTarget;
  readonly links: readonly Link[];
  readonly onChanged: () => Promise<unknown>;
}

/** The open form. What was typed, a password too, is kept while the screen is shown, and never stored. */
function Dialogs({ target, links, onChanged }: DialogsProps) {
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const create = useDialog('new');
  const edit = useDialog('edit');
  const typed = useRef(new Map<string, TypedLink>());
  const link = links.find(({ id }) => id === edit.value);
  const isNew = create.value !== undefined && may('POST /links') === undefined;
  if (!isNew && (!link || may('PATCH /links/{link_id}') !== undefined)) return null;
  const key = isNew || !link ? 'new' : link.id;
  return (
    <LinkDialog
      key={key}
      target={target}
      link={isNew ? null : (link ?? null)}
      typed={typed.current.get(key)}
      onTyped={(text) => (text ? typed.current.set(key, text) : typed.current.delete(key))}
      onSaved={onChanged}
      onClose={isNew ? create.close : edit.close}
    />
  );
}

interface ActsOfRows {
  readonly onEdit: (id: string) => void;
  readonly onChanged: () => Promise<unknown>;
}

function useColumns({ onEdit, onChanged }: ActsOfRows): readonly Column<Link>[] {
  const words = useWords().links;
  const format = useFormat();
  const { columns: labels } = words;
  return [
    { id: 'name', label: labels.name, cell: (link) => <Name link={link} /> },
    { id: 'access', label: labels.access, plain: true, cell: (link) => <Access link={link} /> },
    { id: 'state', label: labels.state, plain: true, cell: (link) => <State link={link} /> },
    {
      id: 'expires',
      label: labels.expires,
      cell: ({ expires_at: end }) =>
        end === null ? (
          <span className="soft">{words.never}</span>
        ) : (
          <time dateTime={end}>{format.dateTime(new Date(end))}</time>
        ),
    },
    { id: 'downloads', label: labels.downloads, align: 'end', cell: (link) => <Downloads link={link} /> },
    { id: 'testers', label: labels.testers, align: 'end', cell: (link) => <Testers link={link} /> },
    {
      id: 'address',
      label: labels.address,
      hideLabel: true,
      width: 'narrow',
      cell: (link) => <LinkAddress link={link} />,
    },
    {
      id: 'actions',
      label: labels.actions,
      hideLabel: true,
      width: 'narrow',
      cell: (link) => <LinkActs link={link} onEdit={() => onEdit(link.id)} onChanged={onChanged} />,
    },
  ];
}

interface CellProps {
  readonly link: Link;
}

function Name({ link }: CellProps) {
  const words = useWords().links;
  const name = useNameOfLink()(link);
  return (
    <div className={styles.name}>
      <span>{name}</span>
      {link.is_default && link.name !== null && <Badge>{words.isDefault}</Badge>}
    </div>
  );
}

function Access({ link }: CellProps) {
  const words = useWords().links;
  return (
    <Inline gap={4}>
      <Badge {...(link.access !== 'open' && { icon: 'lock' })}>{words.access[link.access]}</Badge>
      {link.terms && <Badge>{words.terms}</Badge>}
    </Inline>
  );
}

function State({ link: { state } }: CellProps) {
  const words = useWords().links;
  const isLive = state === 'live';
  return (
    <Badge tone={isLive ? 'success' : 'warning'} dot={isLive ? 'filled' : 'hollow'}>
      {words.states[state]}
    </Badge>
  );
}

/** Counting ends there. */
const MAX_COUNT = 10_000;

function useCount(): (count: number) => string {
  const words = useWords().links;
  const format = useFormat();
  return (count) => (count < MAX_COUNT ? format.number(count) : words.atLeast(format.number(count)));
}

/** All downloads; for a link with a maximum, those that count for it. */
function Downloads({ link: { downloads, max_downloads: most, used_downloads: used } }: CellProps) {
  const words = useWords().links;
  const format = useFormat();
  const counted = useCount();
  return most === null ? counted(downloads) : words.used(format.number(used), format.number(most));
}

function Testers({ link: { testers } }: CellProps) {
  return useCount()(testers);
}
