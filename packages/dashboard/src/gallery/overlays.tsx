import { useState } from 'react';
import {
  AlertDialog,
  Button,
  Card,
  CodeBlock,
  Diff,
  FormDialog,
  Inline,
  Menu,
  Palette,
  SecretOnce,
  Select,
  TextArea,
  TypedConfirm,
  useToast,
} from '../ui';

type Overlay = 'dialog' | 'alert' | 'typed' | 'secret' | 'palette' | 'drop';

export function Overlays() {
  const toast = useToast();
  const [open, setOpen] = useState<Overlay | null>(null);
  const [theme, setTheme] = useState('System');
  const [query, setQuery] = useState('');
  const close = (): void => setOpen(null);
  const results = ['Builds', 'Channels', 'Testers', 'Upload build'].filter((label) =>
    label.toLowerCase().includes(query.toLowerCase()),
  );
  return (
    <Card title="Overlays">
      <Inline>
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button onClick={() => setOpen('alert')}>Open question</Button>
        <Button onClick={() => setOpen('typed')}>Open typed question</Button>
        <Button onClick={() => setOpen('secret')}>Open secret</Button>
        <Button onClick={() => setOpen('palette')}>Open palette</Button>
        <Button onClick={() => toast('2.1.0 (210) is current in Beta.', { action: { label: 'Undo', onClick: close } })}>
          Show message
        </Button>
        <Button onClick={() => toast('The service is not reachable.', { tone: 'problem' })}>Show problem</Button>
        {open !== 'drop' && <Button onClick={() => setOpen('alert')}>Goes away</Button>}
        <Menu
          label="Account menu"
          trigger="Ann Archer"
          align="start"
          items={[
            { label: 'Account', icon: 'user', href: '?account' },
            {
              label: 'Theme',
              items: ['System', 'Light', 'Dark'].map((label) => ({
                label,
                checked: theme === label,
                onSelect: () => setTheme(label),
              })),
            },
            { label: 'Log out', icon: 'logout', aside: 'G X', onSelect: () => toast('Logged out', { tone: 'info' }) },
          ]}
        />
      </Inline>
      {open === 'dialog' && (
        <FormDialog title="Promote 2.1.0 (210)" onClose={close} submitLabel="Promote" onSubmit={close}>
          <Select label="Channel" name="channel" options={[{ value: 'beta', label: 'Beta' }]} />
          <TextArea label="Notes for testers" name="notes" defaultValue="The new login." />
          <Card title="What changes for testers" level={3} tone="sunk">
            <Diff
              items={[
                { label: 'Version', before: '2.0.9', after: '2.1.0' },
                {
                  label: 'Minimum OS',
                  before: 'iOS 15',
                  after: 'iOS 16',
                  tone: 'warning',
                  note: 'Older devices stay on 2.0.9.',
                },
              ]}
            />
          </Card>
          <p>34 testers will be mailed.</p>
        </FormDialog>
      )}
      {open === 'alert' && (
        <AlertDialog
          title="Delete 2.1.0 (210)?"
          confirmLabel="Delete build"
          onCancel={close}
          onConfirm={() => setOpen('drop')}
        >
          Its file, link and downloads are deleted. This cannot be undone.
        </AlertDialog>
      )}
      {open === 'typed' && (
        <TypedConfirm
          title="Erase tess@example.com?"
          expected="tess@example.com"
          fieldLabel="Type tess@example.com to confirm"
          mismatchReason="Type the address first"
          confirmLabel="Erase tester"
          onCancel={close}
          onConfirm={close}
        >
          <p>Their name, address and downloads are erased.</p>
        </TypedConfirm>
      )}
      {open === 'secret' && (
        <SecretOnce
          words={{
            title: 'Copy your token now',
            text: 'It is shown only now. Keep it in a password manager or in the secrets of your CI.',
            label: 'Token',
            copy: 'Copy token',
            kept: 'I have kept it',
            done: 'Done',
            reason: 'Copy the token or tick that you have kept it',
          }}
          value="ag_pat_4hK2vQ9sXw7bTnR3mZpL"
          onDone={close}
          more={<CodeBlock label="curl" text="curl -H 'Authorization: Bearer …'" copyLabel="Copy snippet" />}
        />
      )}
      {open === 'palette' && (
        <Palette
          label="Search or jump to"
          onClose={close}
          query={query}
          onQuery={setQuery}
          resultsLabel="Results"
          emptyText="Nothing matches."
          status={`${results.length} results`}
          groups={[
            {
              label: 'Rocket',
              items: results.map((label) => ({
                id: label,
                label,
                icon: 'build',
                detail: 'Rocket',
                shortcut: `G ${label.slice(0, 1)}`,
                onSelect: () => toast(`Opened ${label}`, { tone: 'info' }),
              })),
            },
          ]}
        />
      )}
    </Card>
  );
}
