import {
  AppIcon,
  Avatar,
  Badge,
  Button,
  Card,
  Columns,
  DescriptionList,
  Diff,
  Inline,
  Stack,
  Steps,
  Time,
  Timeline,
} from '../ui';

const NAMES = ['Rocket', 'Ahoy', 'Acme', 'Beta', 'Comet', 'Delta', 'Über'];

export function Display() {
  return (
    <Stack>
      <Card title="First steps">
        <Steps
          label="Steps"
          items={[
            { label: 'Organization', state: 'done' },
            { label: 'Project', state: 'done' },
            { label: 'First build', state: 'current' },
            { label: 'Install', state: 'todo' },
          ]}
        />
      </Card>
      <Columns>
        <Card title="Facts">
          <DescriptionList
            items={[
              { label: 'Minimum OS', value: 'iOS 16' },
              { label: 'Bundle id', value: 'com.acme.rocket', mono: true },
              { label: 'Uploaded', value: <Time value="2026-11-22T12:00:00Z" exact /> },
              {
                label: 'SHA-256',
                value: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
                mono: true,
              },
              { label: 'Not shown', value: null },
            ]}
          />
        </Card>
        <Card title="What changes for testers">
          <Diff
            items={[
              { label: 'Version', before: '2.0.9', after: '2.1.0' },
              { label: 'Size', before: '66 MB', after: '67 MB' },
              {
                label: 'Minimum OS',
                before: 'iOS 15',
                after: 'iOS 16',
                tone: 'warning',
                note: 'Older devices stay on 2.0.9.',
              },
              { label: 'Certificate', after: 'Acme GmbH', same: true },
              { label: 'Warnings', after: '1 new', tone: 'problem' },
            ]}
          />
        </Card>
        <Card title="Release history">
          <Timeline
            label="Release history"
            items={[
              {
                id: '12',
                title: '2.1.0 (210)',
                meta: 'iOS · Ann, 3 minutes ago',
                current: true,
                children: '+1 MB, iOS 15 → 16, 34 mailed',
                actions: <Button>Withdraw release</Button>,
              },
              { id: '11', title: '2.0.9 (209)', meta: 'iOS · CI, 1 day ago', actions: <Button>Promote again</Button> },
              { id: '10', title: '2.0.9 (209)', meta: 'Android · CI, 1 day ago', current: true },
            ]}
          />
        </Card>
      </Columns>
      <Card title="Badges and icons">
        <Stack>
          <Inline>
            <Badge>VIEW</Badge>
            <Badge tone="accent" dot="filled">
              Beta
            </Badge>
            <Badge tone="accent" dot="hollow">
              Store
            </Badge>
            <Badge tone="info">Invited</Badge>
            <Badge tone="success" icon="check">
              Passed
            </Badge>
            <Badge tone="warning" icon="warning">
              9 days left
            </Badge>
            <Badge tone="problem" icon="problem">
              Expired
            </Badge>
          </Inline>
          <Inline>
            {NAMES.map((name) => (
              <AppIcon key={name} name={name} size={40} />
            ))}
            <AppIcon name="Rocket" size={24} />
            <AppIcon name="Broken" src="/" size={40} />
            {['Ann Archer', 'tess@example.com', 'Kim'].map((name) => (
              <Avatar key={name} name={name} />
            ))}
          </Inline>
        </Stack>
      </Card>
    </Stack>
  );
}
