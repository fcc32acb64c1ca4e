import { AppIcon, Button, Menu, PageHeader, Stack } from '../ui';
import { Actions } from './actions';
import { Charts } from './charts';
import { Display } from './display';
import { Feedback } from './feedback';
import { Forms } from './forms';
import { Lists } from './lists';
import { Overlays } from './overlays';

/** Every component in its states. */
export function Gallery() {
  return (
    <main className="gallery">
      <Stack gap={24}>
        <PageHeader
          title="Rocket 2.1.0 (210)"
          icon={<AppIcon name="Rocket" size={64} />}
          detail="iOS · ad hoc · can be installed · 3 minutes ago by Ann"
          actions={
            <>
              <Button variant="primary" icon="promote">
                Promote
              </Button>
              <Menu
                label="More actions"
                items={[
                  { label: 'Download file', icon: 'download', href: '?download' },
                  { label: 'Compare with…', icon: 'undo', onSelect: () => undefined },
                  { label: 'Copy as curl', icon: 'code', onSelect: () => undefined },
                  {
                    items: [
                      {
                        label: 'Delete build',
                        icon: 'trash',
                        danger: true,
                        disabledReason: 'Needs the role “Manage releases”',
                      },
                    ],
                  },
                ]}
              />
            </>
          }
        />
        <Lists />
        <Charts />
        <Display />
        <Actions />
        <Forms />
        <Overlays />
        <Feedback />
      </Stack>
    </main>
  );
}
