import { CodeBlock, SecretOnce } from '../../ui';
import { useWords } from '../../words/words-provider';

export interface TokenSecretProps {
  readonly token: string;
  /** Shows how to upload a build with it. */
  readonly uploads?: boolean;
  readonly onDone: () => void;
}

/** Shows the value of a token the only time that it can be shown. */
export function TokenSecret({ token, uploads = false, onDone }: TokenSecretProps) {
  const words = useWords().tokens.secret;
  return (
    <SecretOnce
      words={words}
      value={token}
      onDone={onDone}
      more={uploads && <CodeBlock label={words.snippet} text={uploadCommand()} copyLabel={words.copySnippet} />}
    />
  );
}

/** A token implies its project, so the command needs no ids. */
const uploadCommand = (): string =>
  `curl -H "Authorization: Bearer $AGATE_TOKEN" -F file=@app-release.apk "${location.origin}/api/v1/builds"`;
