import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useOrganizations } from '../queries/account/session';
import { keepOrganization } from '../session/choices/last-organization';
import { NotFound } from './not-found';
import { useLive } from './live/use-live';

/** The screens of one organization. Stores it as the one to open at the next start. */
export function Organization() {
  const { org } = useParams({ from: '/member/o/$org' });
  const isKnown = useOrganizations().some(({ id }) => id === org);
  useLive(org, isKnown);
  useEffect(() => {
    if (isKnown) keepOrganization(org);
  }, [org, isKnown]);
  return isKnown ? <Outlet /> : <NotFound />;
}
