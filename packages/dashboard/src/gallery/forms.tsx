import { useState } from 'react';
import {
  Badge,
  Button,
  Card,
  Checkbox,
  CheckboxGroup,
  Chip,
  Columns,
  DropZone,
  Form,
  type FormErrors,
  Inline,
  PasswordField,
  RadioCards,
  RadioGroup,
  Select,
  Stack,
  Switch,
  TextArea,
  TextField,
} from '../ui';

const REFUSED: FormErrors = {
  message: 'The service refused the values.',
  fields: new Map([
    ['name', 'There is a project of this name. Choose another one.'],
    ['unknown', 'The organization is full. Remove a project first.'],
  ]),
  requestId: '0190a5d2-7c1e-7b3a-9f1d-2f6a8c1b4e77',
};

export function Forms() {
  const [errors, setErrors] = useState<FormErrors | null>(null);
  const [storage, setStorage] = useState<string>('s3');
  const [channels, setChannels] = useState<readonly string[]>(['beta']);
  const [files, setFiles] = useState<readonly File[]>([]);
  return (
    <Columns>
      <Card title="Form">
        <Form errors={errors} onSubmit={() => setErrors({ ...REFUSED })}>
          <TextField label="Project name" name="name" required defaultValue="Rocket" />
          <TextField
            label="E-mail address"
            name="email"
            type="email"
            autoComplete="username"
            required
            hint="We mail a link."
          />
          <PasswordField label="Password" name="password" autoComplete="new-password" minLength={12} />
          <TextArea label="What to test" name="notes" hint="Testers see it." />
          <Select label="Role" name="role" options={[{ value: 'view', label: 'View project' }]} />
          <TextField label="Amount" name="amount" before="$" after="USD" inputMode="decimal" />
          <TextField label="Day" name="day" type="date" />
          <Checkbox label="Mail the testers" name="mail" defaultChecked hint="34 testers are subscribed." />
          <Inline>
            <Button type="submit" variant="primary">
              Create project
            </Button>
            <Button>Cancel</Button>
          </Inline>
        </Form>
      </Card>
      <Stack>
        <Card title="Choices">
          <Stack>
            <RadioCards
              label="Storage"
              name="storage"
              value={storage}
              onValue={setStorage}
              options={[
                {
                  value: 's3',
                  label: 'S3 or compatible',
                  hint: 'A bucket of yours.',
                  aside: <Badge tone="accent">Used most</Badge>,
                },
                { value: 'azure', label: 'Azure Blob Storage', hint: 'A container of yours.' },
                {
                  value: 'gcs',
                  label: 'Google Cloud Storage',
                  hint: 'Not yet.',
                  disabledReason: 'Needs the Business plan',
                },
              ]}
            />
            <RadioGroup
              label="Theme"
              name="theme"
              inline
              defaultValue="system"
              options={[
                { value: 'system', label: 'System' },
                { value: 'light', label: 'Light' },
                { value: 'dark', label: 'Dark' },
              ]}
            />
            <CheckboxGroup
              label="Subscribe to"
              name="channels"
              hint="They get a mail after each promotion."
              value={channels}
              onValue={setChannels}
              options={[
                { value: 'beta', label: 'Beta' },
                { value: 'store', label: 'Store', hint: 'Release candidates.' },
                { value: 'old', label: 'Legacy', disabledReason: 'The channel is archived' },
              ]}
            />
            <Inline gap={24}>
              <Checkbox label="Some" indeterminate />
              <Checkbox label="Bad" error="Tick it to go on." />
              <Chip label="Beta" defaultChecked />
              <Chip label="Store" />
              <Chip label="Internal" disabledReason="Needs the role “Manager”" />
              <Switch label="Single keys" defaultChecked />
              <Switch label="Alerts" />
              <Switch label="Locked" disabledReason="Needs the role “Admin”" />
            </Inline>
          </Stack>
        </Card>
        <Card title="States of a field">
          <Stack>
            <TextField label="Read-only" readOnly value="com.acme.rocket" mono />
            <TextField label="Refused" defaultValue="x" error="Enter at least 3 characters." />
            <Select label="Refused choice" error="Choose a channel." options={[{ value: '', label: 'Choose' }]} />
          </Stack>
        </Card>
        <DropZone
          multiple
          label={files.length > 0 ? files.map(({ name }) => name).join(', ') : 'Drop an .ipa, .apk or .aab here'}
          buttonLabel="Choose file"
          onFiles={setFiles}
        />
      </Stack>
    </Columns>
  );
}
