import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QrButton } from '../../parts/qr/qr-button';
import { deleteLink, type Link, linkGrantQuery, replaceLink } from '../../queries/project/links';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import {
  AlertDialog,
  CopyButton,
  CopyField,
  Dialog,
  ErrorCard,
  ExternalLink,
  QrCode,
  RowMenu,
  Skeleton,
  useToast,
} from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './links.module.css';
import { useLinkError } from './use-link-error';
import { useNameOfLink } from './use-name-of-link';

interface LinkProps {
  readonly link: Link;
}

/** The address of a link: to copy, and as a QR code. */
export function LinkAddress({ link }: LinkProps) {
  const words = useWords().links;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const name = useNameOfLink()(link);
  const address = link.install_url;
  if (address === null)
    return (
      <span className="soft">{may('POST /links/{link_id}/grant') === undefined ? words.unreadable : words.hidden}</span>
    );
  return (
    <div className={styles.address}>
      <CopyButton iconOnly label={words.copy(name)} value={address} />
      <QrButton
        label={words.showQr(name)}
        title={name}
        link={address}
        picture={words.showQr(name)}
        copyLabel={words.copy(name)}
      />
    </div>
  );
}

interface LinkActsProps extends LinkProps {
  readonly onEdit: () => void;
  readonly onChanged: () => Promise<unknown>;
}

/** The menu of a link. */
export function LinkActs({ link, onEdit, onChanged }: LinkActsProps) {
  const words = useWords().links;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const name = useNameOfLink()(link);
  const [open, setOpen] = useState<'member' | 'replace' | 'delete'>();
  const close = (): void => setOpen(undefined);
  const ended = link.state === 'live' ? undefined : words.reasons['link_ended'];
  return (
    <>
      <RowMenu
        label={words.actions(name)}
        items={[
          { label: words.edit, icon: 'edit', disabledReason: may('PATCH /links/{link_id}'), onSelect: onEdit },
          {
            label: words.member.label,
            icon: 'link',
            disabledReason: may('POST /links/{link_id}/grant') ?? ended,
            onSelect: () => setOpen('member'),
          },
          {
            label: words.replace.label,
            icon: 'refresh',
            disabledReason: may('POST /links/{link_id}/rotate'),
            onSelect: () => setOpen('replace'),
          },
          {
            label: words.delete.label,
            icon: 'trash',
            danger: true,
            disabledReason:
              may('DELETE /links/{link_id}') ?? (link.is_default ? words.reasons['default_link'] : undefined),
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'member' && <OpenAsMember link={link} onClose={close} />}
      {(open === 'replace' || open === 'delete') && (
        <Question act={open} link={link} onDone={onChanged} onClose={close} />
      )}
    </>
  );
}

/** An address of the link that works for the phone of the member. */
function OpenAsMember({ link, onClose }: LinkProps & { readonly onClose: () => void }) {
  const words = useWords().links.member;
  const { scope } = useProjectPlace();
  const { data, error: rejected } = useQuery(linkGrantQuery(scope, link.id));
  const title = words.title(useNameOfLink()(link));
  const error = useLinkError(rejected);
  return (
    <Dialog size="small" title={title} onClose={onClose}>
      {error && <ErrorCard message={error.message} />}
      {!data && !error && <Skeleton count={3} />}
      {data && (
        <>
          <p>{words.text}</p>
          <QrCode value={data.url} label={words.qr} large />
          <CopyField hideLabel label={title} value={data.url} copyLabel={words.copy} />
          <p>
            <ExternalLink href={data.url}>{words.open}</ExternalLink>
          </p>
        </>
      )}
    </Dialog>
  );
}

interface QuestionProps extends LinkProps {
  readonly act: 'replace' | 'delete';
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

const ACTS = { replace: replaceLink, delete: deleteLink };

/** Says what ends, before the address of a link is replaced or the link is deleted. */
function Question({ act, link, onDone, onClose }: QuestionProps) {
  const words = useWords().links[act];
  const { scope } = useProjectPlace();
  const toast = useToast();
  const name = useNameOfLink()(link);
  const work = useMutation({
    mutationFn: async () => void (await ACTS[act](scope, link.id)),
    onSuccess: async () => {
      toast(words.done(name), { tone: 'success' });
      onClose();
      await onDone();
    },
    // Another member may have deleted it.
    onError: onDone,
  });
  const error = useLinkError(work.error);
  return (
    <AlertDialog
      title={words.title(name)}
      confirmLabel={words.label}
      busy={work.isPending}
      error={error}
      onConfirm={() => work.mutate()}
      onCancel={onClose}
    >
      <p>{words.text}</p>
    </AlertDialog>
  );
}
