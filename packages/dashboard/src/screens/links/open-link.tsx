import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTitle } from '../../frame/use-title';
import { linkGrantQuery } from '../../queries/project/links';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { buttonClass, EmptyState, PageHeader, Skeleton, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { useLinkError } from './use-link-error';

/** Opens a link for the member who is logged in. The page of a link for members leads here. */
export function OpenLink() {
  const words = useWords().links.member;
  const { organizationId, projectId, scope } = useProjectPlace();
  const { link } = useParams({ from: '/member/o/$org/p/$project/links/$link/open' });
  const reason = useMay({ organizationId, projectId })('POST /links/{link_id}/grant');
  const { data, error } = useQuery({ ...linkGrantQuery(scope, link), enabled: reason === undefined });
  const refused = useLinkError(error);
  const problem = reason ?? refused?.message;
  const address = data?.url;
  useTitle(words.opening);
  useEffect(() => {
    // Back then leads to the page before this one, which would only lead here again.
    if (address !== undefined) location.replace(address);
  }, [address]);
  if (problem !== undefined)
    return (
      <EmptyState level={1} icon="lock" title={words.refused}>
        {problem}
      </EmptyState>
    );
  return (
    <Stack>
      <PageHeader title={words.opening} detail={words.openingText} />
      {address === undefined ? (
        <Skeleton count={2} />
      ) : (
        <div>
          <a className={buttonClass('primary')} href={address}>
            {words.go}
          </a>
        </div>
      )}
    </Stack>
  );
}
