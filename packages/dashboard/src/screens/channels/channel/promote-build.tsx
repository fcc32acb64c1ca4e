import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { DeferredPromoteDialog } from '../../../parts/builds/deferred-promote-dialog';
import { useDialog } from '../../../parts/use-dialog';
import { buildQuery } from '../../../queries/project/builds';
import { type Channel } from '../../../queries/project/channels';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Button } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import { ChooseBuild } from './choose-build';

/** The value of the parameter `promote` while a build is chosen. Afterwards it is the id of the build. */
const CHOOSE = 'choose';

/**
 * The button that promotes a build to the channel: first the build is chosen, then the promotion is reviewed. The address stores the step.
 */
export function PromoteBuild({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const { value: promote, open, close } = useDialog('promote');
  const reason = may('POST /releases');
  return (
    <>
      <Button variant="primary" icon="promote" disabledReason={reason} onClick={() => open(CHOOSE)}>
        {words.promoteBuild}
      </Button>
      {/* The screen stays visible while the texts of the dialog load. */}
      <Suspense>
        {promote === CHOOSE && reason === undefined && (
          <ChooseBuild channel={channel} onChoose={open} onClose={close} />
        )}
        {promote !== undefined && promote !== CHOOSE && reason === undefined && (
          <Promotion buildId={promote} channel={channel} onClose={close} />
        )}
      </Suspense>
    </>
  );
}

function Promotion({ buildId, channel, onClose }: { buildId: string; channel: Channel; onClose: () => void }) {
  const { scope } = useProjectPlace();
  const { data: build } = useQuery(buildQuery(scope, buildId));
  return build ? <DeferredPromoteDialog build={build} channelId={channel.id} onClose={onClose} /> : null;
}
