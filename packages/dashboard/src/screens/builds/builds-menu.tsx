import { useNavigate } from '@tanstack/react-router';
import { deferred } from '../../parts/deferred';
import { useDialog } from '../../parts/use-dialog';
import { type BuildFilters } from '../../queries/project/builds';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Menu } from '../../ui';
import { useWords } from '../../words/words-provider';

const DeleteMatching = deferred(async () => (await import('./delete-matching')).DeleteMatching, ['deletion']);

/** What concerns all builds of the project: the deletion of old ones, the trash, the rules. */
export function BuildsMenu({ filters }: { readonly filters: BuildFilters }) {
  const words = useWords().builds;
  const { organizationId, projectId, params } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('POST /builds/delete');
  const navigate = useNavigate();
  const dialog = useDialog('delete');
  return (
    <>
      <Menu
        label={words.moreActs}
        items={[
          {
            label: words.trash,
            icon: 'trash',
            onSelect: () => void navigate({ to: '/o/$org/p/$project/trash', params }),
          },
          {
            label: words.retention,
            icon: 'clock',
            onSelect: () => void navigate({ to: '/o/$org/p/$project/settings/retention', params }),
          },
          {
            label: words.deleteOld,
            icon: 'filter',
            danger: true,
            disabledReason: reason,
            onSelect: () => dialog.open('1'),
          },
        ]}
      />
      {dialog.value !== undefined && reason === undefined && (
        <DeleteMatching filters={filters} onClose={dialog.close} />
      )}
    </>
  );
}
