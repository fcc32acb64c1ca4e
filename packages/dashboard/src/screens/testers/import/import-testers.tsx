import { decodeText } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ChangeEvent, type ReactNode, useMemo, useState } from 'react';
import { useTitle } from '../../../frame/use-title';
import { drafts } from '../../../parts/drafts';
import { LoadError } from '../../../parts/lists/load-error';
import { projectQuery } from '../../../queries/organization/projects';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import {
  Button,
  buttonClass,
  Card,
  DropZone,
  focusHeading,
  Inline,
  PageHeader,
  Progress,
  RadioGroup,
  Stack,
  TextArea,
} from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import { AddingResult } from '../adding-result';
import { SubscribeTo } from '../tester/subscribe-to';
import styles from '../testers.module.css';
import { ImportPreview } from './import-preview';
import { ImportProblems, refusedLines, useListProblems } from './import-problems';
import { type AddingProgress, InviteNow, useInviteNow } from './invite-now';
import { type ColumnChoice, parseTestersCsv, type TestersCsv } from './testers-csv';
import { useImport } from './use-import';

/** Adds many testers from a file or from pasted lines: a preview first, then all or none. */
export function ImportTesters() {
  const { testers, frame } = useWords();
  const words = testers.importing;
  const { scope, params } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  useTitle(words.heading, project?.name);
  const importing = useImport();
  const outcome = importing.data;
  return (
    <Stack>
      <PageHeader
        title={words.heading}
        above={
          <Link to="/o/$org/p/$project/testers" params={params}>
            {frame.testers}
          </Link>
        }
      />
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

const NONE_REFUSED: ReadonlyMap<number, string> = new Map();
const NO_LIST: TestersCsv = { testers: [], problem: null, choices: [], unknownTitles: null };

/** The chosen list as it was read, and the lines of it that the service rejected so far. */
function useList(text: string) {
  const [read, setRead] = useState({ of: text, column: null as number | null, refused: NONE_REFUSED });
  const { column, refused } = read.of === text ? read : { column: null, refused: NONE_REFUSED };
  const found = useMemo(() => (text.trim() === '' ? NO_LIST : parseTestersCsv(text)), [text]);
  const list = useMemo(() => (column === null ? found : parseTestersCsv(text, column)), [found, text, column]);
  const testers = useMemo(
    () => list.testers.filter(({ line, problem, sameAs }) => problem === null && sameAs === null && !refused.has(line)),
    [list, refused],
  );
  return {
    list,
    choices: found.choices,
    column,
    refused,
    /** The testers that can be imported. */
    testers,
    choose: (place: number) => setRead({ of: text, column: place, refused: NONE_REFUSED }),
    refuse: (lines: ReadonlyMap<number, string>) => {
      // Without new lines, the testers stay the same object, by which a retry knows what it has sent.
      if (lines.size > 0) setRead({ of: text, column, refused: new Map([...refused, ...lines]) });
    },
  };
}

function Import({ importing }: { importing: ReturnType<typeof useImport> }) {
  const words = useWords().testers.importing;
  const { projectId } = useProjectPlace();
  const draftKey = `import:${projectId}`;
  const [text, setText] = useState(() => drafts.read(draftKey) ?? '');
  const [channelIds, setChannelIds] = useState<string[]>([]);
  const invitation = useInviteNow(channelIds);
  const { list, choices, column, refused, testers, choose, refuse } = useList(text);
  const problems = useListProblems()(list, refused);
  const { error } = importing;
  const isOfLines = error !== null && refusedLines(error, importing.variables?.testers ?? []).size > 0;
  const change = (changed: string): void => {
    importing.reset();
    setText(changed);
  };
  const start = (): void =>
    importing.mutate(
      { testers, channelIds, invite: invitation.isOn },
      {
        onSuccess: () => drafts.forget(draftKey),
        onError: (failure) => refuse(refusedLines(failure, testers)),
      },
    );
  return (
    <>
      <Source draftKey={draftKey} onText={change}>
        <SubscribeTo value={channelIds} onValue={setChannelIds} />
        <InviteNow {...invitation} />
      </Source>
      {choices.length > 0 && <ChooseColumn choices={choices} column={column} onChoose={choose} />}
      {problems.length > 0 && (
        <ImportProblems problems={problems} note={testers.length > 0 ? words.othersCanBeImported : null} />
      )}
      {error && !isOfLines && <LoadError error={error} onRetry={start} />}
      {list.testers.length > 0 && (
        <ImportPreview testers={list.testers} unknownTitles={list.unknownTitles} refused={refused} />
      )}
      {importing.progress && <ImportProgress {...importing.progress} />}
      <Inline>
        <Submit
          count={testers.length}
          skipped={list.testers.length - testers.length}
          isWrong={problems.length > 0}
          invites={invitation.isOn}
          busy={importing.isPending}
          onSubmit={start}
        />
      </Inline>
    </>
  );
}

/** How many are invited, while that takes more than one request. Closing the page would stop it. */
function ImportProgress({ done, total }: AddingProgress) {
  const words = useWords().testers.importing;
  const format = useFormat();
  return (
    <Card title={words.progress} hideTitle>
      <Progress
        label={words.progress}
        value={done}
        max={total}
        text={words.progressOf(format.number(done), format.number(total))}
      />
      <p className="soft small">{words.keepOpen}</p>
    </Card>
  );
}

interface ChooseColumnProps {
  readonly choices: readonly ColumnChoice[];
  /** The place of the chosen one. */
  readonly column: number | null;
  readonly onChoose: (place: number) => void;
}

/** Asks for the column of the addresses, when several may have them. */
function ChooseColumn({ choices, column, onChoose }: ChooseColumnProps) {
  const words = useWords().testers.importing;
  const format = useFormat();
  return (
    <Card title={words.whichColumn}>
      <RadioGroup
        label={words.whichColumn}
        hideLabel
        inline
        name="column"
        value={column === null ? null : String(column)}
        onValue={(place) => onChoose(Number(place))}
        options={choices.map(({ place, title }) => ({
          value: String(place),
          label: words.column(format.number(place + 1), title),
        }))}
      />
    </Card>
  );
}

interface SourceProps {
  /** The key of the pasted lines. They survive a reload. */
  readonly draftKey: string;
  readonly onText: (text: string) => void;
  readonly children: ReactNode;
}

function Source({ draftKey, onText, children }: SourceProps) {
  const words = useWords().testers.importing;
  const format = useFormat();
  const [file, setFile] = useState<File>();
  const [pasted, setPasted] = useState(() => drafts.read(draftKey) ?? '');
  const choose = ([chosen]: readonly File[]): void => {
    if (!chosen) return;
    setFile(chosen);
    setPasted('');
    drafts.forget(draftKey);
    void chosen.arrayBuffer().then((bytes) => onText(decodeText(bytes)));
  };
  const paste = (event: ChangeEvent<HTMLTextAreaElement>): void => {
    setFile(undefined);
    setPasted(event.target.value);
    drafts.keep(draftKey, event.target.value);
    onText(event.target.value);
  };
  return (
    <Card title={words.source}>
      <Stack gap={16}>
        <DropZone
          label={file ? `${file.name} · ${format.bytes(file.size)}` : words.drop}
          buttonLabel={file ? words.otherFile : words.chooseFile}
          fieldLabel={words.file}
          // A spreadsheet can be chosen: the page then says how to save it.
          accept=".csv,.tsv,.txt,text/csv,text/plain,.xlsx,.xls,.ods,.numbers"
          onFiles={choose}
        >
          <p className={styles.fileHint}>{words.fileHint}</p>
        </DropZone>
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
        {children}
      </Stack>
    </Card>
  );
}

interface SubmitProps {
  readonly count: number;
  /** The lines that are wrong or repeated. */
  readonly skipped: number;
  readonly isWrong: boolean;
  readonly invites: boolean;
  readonly busy: boolean;
  readonly onSubmit: () => void;
}

function Submit({ count, skipped, isWrong, invites, busy, onSubmit }: SubmitProps) {
  const words = useWords().testers.importing;
  const format = useFormat();
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const nothing = isWrong ? words.correctFirst : words.chooseFirst;
  const label = count === 0 ? words.submitNone : format.plural(count, invites ? words.submitAndInvite : words.submit);
  return (
    <Button
      variant="primary"
      busy={busy}
      disabledReason={may('POST /testers/import')}
      missing={count === 0 ? nothing : undefined}
      onClick={onSubmit}
    >
      {count > 0 && skipped > 0 ? words.skipping(label, format.number(skipped)) : label}
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
