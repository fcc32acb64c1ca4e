import { decodeText } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ChangeEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { useTitle } from '../../../frame/use-title';
import { LoadError } from '../../../parts/lists/load-error';
import { projectQuery } from '../../../queries/organization/projects';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Button, buttonClass, Card, focusHeading, Inline, PageHeader, Stack, TextArea, TextField } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import { AddingResult } from '../adding-result';
import { SubscribeTo } from '../tester/subscribe-to';
import styles from '../testers.module.css';
import { ImportPreview } from './import-preview';
import { ImportProblems, useListProblems, useRefusedLines } from './import-problems';
import { parseTestersCsv } from './testers-csv';
import { useImport } from './use-import';

/** Adds many testers from a file or from pasted lines: a preview first, then all or none. */
export function ImportTesters() {
  const words = useWords().testers.importing;
  const { scope } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  useTitle(words.heading, project?.name);
  const importing = useImport();
  const outcome = importing.data;
  return (
    <Stack>
      <PageHeader title={words.heading} />
      {outcome ? (
        <Result
          onAgain={() => {
            importing.reset();
            // The pressed button no longer exists then.
            focusHeading();
          }}
        >
          <AddingResult outcome={outcome} />
        </Result>
      ) : (
        <Import importing={importing} />
      )}
    </Stack>
  );
}

function Import({ importing }: { importing: ReturnType<typeof useImport> }) {
  const [text, setText] = useState('');
  const [channelIds, setChannelIds] = useState<string[]>([]);
  const list = useMemo(() => (text.trim() === '' ? null : parseTestersCsv(text)), [text]);
  const testers = list?.testers ?? [];
  const linesOf = useListProblems();
  const refusedIn = useRefusedLines();
  const refused = refusedIn(importing.error, testers);
  const problems = refused.length > 0 || !list ? refused : linesOf(list);
  const change = (changed: string): void => {
    importing.reset();
    setText(changed);
  };
  const start = (): void => importing.mutate({ testers, channelIds });
  return (
    <>
      <Source onText={change} channelIds={channelIds} onChannelIds={setChannelIds} />
      {problems.length > 0 && <ImportProblems problems={problems} />}
      {importing.error && refused.length === 0 && <LoadError error={importing.error} onRetry={start} />}
      {testers.length > 0 && <ImportPreview testers={testers} />}
      <Inline>
        <Submit count={testers.length} isWrong={problems.length > 0} busy={importing.isPending} onSubmit={start} />
      </Inline>
    </>
  );
}

interface SourceProps {
  readonly onText: (text: string) => void;
  readonly channelIds: readonly string[];
  readonly onChannelIds: (channelIds: string[]) => void;
}

function Source({ onText, channelIds, onChannelIds }: SourceProps) {
  const words = useWords().testers.importing;
  const file = useRef<HTMLInputElement>(null);
  const [pasted, setPasted] = useState('');
  const forgetFile = (): void => {
    if (file.current) file.current.value = '';
  };
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = event.target.files ?? [];
    setPasted('');
    if (!chosen) onText('');
    else void chosen.arrayBuffer().then((bytes) => onText(decodeText(bytes)));
  };
  const paste = (event: ChangeEvent<HTMLTextAreaElement>): void => {
    forgetFile();
    setPasted(event.target.value);
    onText(event.target.value);
  };
  return (
    <Card title={words.source}>
      <Stack gap={16}>
        <TextField
          type="file"
          label={words.file}
          hint={words.fileHint}
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          ref={file}
          className={styles.file}
          // Browsers send no event when the same file, corrected, is chosen again.
          onClick={forgetFile}
          onChange={choose}
        />
        <TextArea
          label={words.paste}
          hint={words.pasteHint}
          value={pasted}
          onChange={paste}
          rows={3}
          mono
          spellCheck={false}
          autoCapitalize="off"
        />
        <SubscribeTo value={channelIds} onValue={onChannelIds} />
      </Stack>
    </Card>
  );
}

interface SubmitProps {
  readonly count: number;
  readonly isWrong: boolean;
  readonly busy: boolean;
  readonly onSubmit: () => void;
}

function Submit({ count, isWrong, busy, onSubmit }: SubmitProps) {
  const words = useWords().testers.importing;
  const format = useFormat();
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const reason = isWrong ? words.correctFirst : count === 0 ? words.chooseFirst : undefined;
  return (
    <Button variant="primary" busy={busy} disabledReason={may('POST /testers/import') ?? reason} onClick={onSubmit}>
      {format.plural(count, words.submit)}
    </Button>
  );
}

function Result({ onAgain, children }: { onAgain: () => void; children: ReactNode }) {
  const words = useWords().testers.importing;
  const { params } = useProjectPlace();
  return (
    <Card title={words.done}>
      <Stack gap={16}>
        {children}
        <Inline>
          <Link to="/o/$org/p/$project/testers" params={params} className={buttonClass('primary')}>
            {words.show}
          </Link>
          <Button onClick={onAgain}>{words.again}</Button>
        </Inline>
      </Stack>
    </Card>
  );
}
