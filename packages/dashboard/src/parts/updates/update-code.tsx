import { type Platform } from '@agate/client';
import { CodeBlock, Dialog, Select, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { FRAMEWORKS } from './update-snippets';

export interface UpdateCodeProps {
  readonly platform: Platform;
  /** The address of the update key. */
  readonly url: string;
  /** The chosen framework. If the platform has no such framework, its most common one. */
  readonly framework: string | undefined;
  readonly onFramework: (framework: string) => void;
  readonly onClose: () => void;
}

/** The code with which an app uses an update key, by framework. The code contains the key. */
export function UpdateCode({ platform, url, framework, onFramework, onClose }: UpdateCodeProps) {
  const { updates, builds } = useWords();
  const words = updates.code;
  const frameworks = FRAMEWORKS[platform];
  const chosen = frameworks.find(({ value }) => value === framework) ?? frameworks[0];
  const isMobile = platform === 'ios' || platform === 'android';
  return (
    <Dialog title={words.open(builds.platforms[platform] ?? platform)} size="large" onClose={onClose}>
      <Stack gap={12}>
        <Select
          label={words.framework}
          value={chosen?.value}
          options={frameworks}
          onChange={(event) => onFramework(event.target.value)}
        />
        {chosen && <CodeBlock label={words.snippet} text={chosen.code(url)} copyLabel={words.copy} />}
        <p className="soft">
          {words.isPublic} {isMobile && words.noStore} {chosen?.needsSignature && words.signature}
        </p>
      </Stack>
    </Dialog>
  );
}
