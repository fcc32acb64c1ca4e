import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Build } from '../../../queries/project/builds';
import { api } from '../../../session/api';
import { useMay } from '../../../session/use-may';
import { type ProjectScope, useProjectPlace } from '../../../session/use-project-place';
import { AlertDialog, Button, Card, CopyButton, ExternalLink, QrCode, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** The install link: as a QR code for a phone, to copy, to open, to replace. */
export function BuildInstall({ build, scope }: { build: Build; scope: ProjectScope }) {
  const words = useWords().build;
  const link = build.install_url;
  return (
    <Card title={words.install}>
      {link === null ? (
        <p className={styles.soft}>{words.noLink}</p>
      ) : (
        <div className={styles.install}>
          <div className={styles.qr}>
            <QrCode value={link} label={words.qr} />
          </div>
          <div className={styles.installActs}>
            <CopyButton label={words.copyLink} value={link} variant="primary" shortcut="C" />
            <ExternalLink href={link}>{words.asTesters}</ExternalLink>
            <ReplaceLink build={build} scope={scope} />
          </div>
        </div>
      )}
    </Card>
  );
}

/** On a phone: opens the install page at once. */
export function InstallHere({ build: { install_url, installable } }: { build: Build }) {
  const words = useWords().build;
  if (install_url === null || !installable) return null;
  return (
    <a className={styles.here} href={install_url}>
      {words.onThisDevice}
    </a>
  );
}

function ReplaceLink({ build, scope }: { build: Build; scope: ProjectScope }) {
  const words = useWords().build;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const [isAsking, setIsAsking] = useState(false);
  const queryClient = useQueryClient();
  const toast = useToast();
  const replacement = useMutation({
    mutationFn: () =>
      api.request('POST /builds/{build_id}/rotate-link', { path: { build_id: build.id }, query: scope }),
    onSuccess: async () => {
      toast(words.replaced, { tone: 'success' });
      setIsAsking(false);
      await queryClient.invalidateQueries({ queryKey: ['build', build.id] });
    },
  });
  return (
    <>
      <Button
        variant="quiet"
        icon="refresh"
        disabledReason={may('POST /builds/{build_id}/rotate-link')}
        onClick={() => {
          replacement.reset();
          setIsAsking(true);
        }}
      >
        {words.replaceLink}
      </Button>
      <AlertDialog
        open={isAsking}
        title={words.replaceTitle}
        confirmLabel={words.replaceLink}
        busy={replacement.isPending}
        onConfirm={() => replacement.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        <p>{words.replaceText}</p>
        {replacement.error && <p role="alert">{replacement.error.message}</p>}
      </AlertDialog>
    </>
  );
}
