import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { DeferredPromoteDialog } from '../../../parts/builds/deferred-promote-dialog';
import { useDialog } from '../../../parts/use-dialog';
import { buildQuery } from '../../../queries/project/builds';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';

/** The promotion that the address names. */
export function OverviewPromotion() {
  const { value } = useDialog('promote');
  return value === undefined ? null : <Promotion buildId={value} />;
}

function Promotion({ buildId }: { buildId: string }) {
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const { close } = useDialog('promote', 'channel');
  const { channel } = useSearch({ from: '/member/o/$org/p/$project/' });
  const { data: build } = useQuery(buildQuery(scope, buildId));
  if (!build || may('POST /releases') !== undefined) return null;
  return <DeferredPromoteDialog build={build} channelId={channel} onClose={close} />;
}
