import { type SigningResponse } from '@agate/client';
import { Badge, Stack } from '../../../ui';
import { useWords } from '../../../words/words-provider';

/** The result of the check of an Android package: the valid schemes, and the first problem. */
export function SignatureCheck({ signing }: { signing: SigningResponse }) {
  const { build } = useWords();
  const schemes = signing.verified_schemes ?? [];
  const problem = useProblem(signing);
  if (schemes.length === 0 && problem === null) return <>{build.notChecked}</>;
  return (
    <Stack gap={4}>
      {schemes.length > 0 && <span>{build.verifiedSchemes(schemes.join(', '))}</span>}
      {problem !== null && <Badge tone={signing.verified === false ? 'warning' : 'neutral'}>{problem}</Badge>}
    </Stack>
  );
}

function useProblem({ verified, problem }: SigningResponse): string | null {
  const { build } = useWords();
  if (problem === null) return null;
  const what = build.signatureProblems[problem.code] ?? problem.code;
  return verified === false ? build.brokenSignature(what, problem.scheme) : build.uncheckedSignature(what);
}
