import { useMutation } from '@tanstack/react-query';
import { useDeveloper } from '../queries/account/session';
import { api } from '../session/api';
import { Banner, Button } from '../ui';
import { useTexts, useWords } from '../words/words-provider';
import { useIsOffline } from './navigation/reachable';

/** The most important message for the developer. */
export function Banners() {
  const { heading, text } = useWords().errors.offline;
  if (!useIsOffline()) return <Unverified />;
  return (
    <Banner tone="problem" title={heading}>
      {text}
    </Banner>
  );
}

function Unverified() {
  const { words, language } = useTexts();
  const { verify } = words.frame;
  const developer = useDeveloper();
  const again = useMutation({
    mutationFn: () =>
      api.request('POST /developers/resend-verification', {
        query: { lang: language },
        body: { email: developer.email },
      }),
  });
  if (developer.email_verified) return null;
  return (
    <Banner
      tone="warning"
      title={verify.heading}
      actions={
        <Button busy={again.isPending} onClick={() => again.mutate()}>
          {verify.again}
        </Button>
      }
    >
      {verify.text(developer.email)}
      <span role="status">{again.isSuccess ? verify.sent : ''}</span>
    </Banner>
  );
}
