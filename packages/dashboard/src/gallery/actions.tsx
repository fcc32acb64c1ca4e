import {
  Button,
  buttonClass,
  Card,
  CodeBlock,
  CopyButton,
  CopyField,
  ExternalLink,
  Icon,
  IconButton,
  Inline,
  Stack,
  Tooltip,
} from '../ui';
import { ICONS } from './samples';

const SNIPPET = `curl https://agate.example.com/api/v1/builds \\
  -H "Authorization: Bearer $AGATE_TOKEN" \\
  -F file=@app-release.apk`;

const VARIANTS = ['primary', 'secondary', 'danger', 'quiet'] as const;

export function Actions() {
  return (
    <Card title="Actions">
      <Stack>
        <Inline>
          <Button variant="primary">New project</Button>
          <Button>Copy link</Button>
          <Button variant="danger" icon="trash">
            Delete build
          </Button>
          <Button variant="quiet" icon="edit">
            Edit notes
          </Button>
          <a className={buttonClass('secondary')} href="#link">
            A link as a button
          </a>
          <IconButton label="Pause" icon="pause" />
          <IconButton label="Settings" icon="settings" variant="secondary" />
        </Inline>
        <Inline>
          {VARIANTS.map((variant) => (
            <Button key={variant} variant={variant} disabledReason="Needs the role “Manage releases”">
              Disabled {variant}
            </Button>
          ))}
          <IconButton label="Discard" icon="close" disabledReason="The upload has ended" />
        </Inline>
        <Inline>
          {VARIANTS.map((variant) => (
            <Button key={variant} variant={variant} busy>
              Busy {variant}
            </Button>
          ))}
        </Inline>
        <Inline gap={16}>
          <CopyButton label="Copy link" value="https://agate.example.com/install/abc" />
          <CopyButton label="Copy id" value="9f1c" iconOnly />
          <a href="#plain">A link in a text</a>
          <ExternalLink href="#external">Open as testers see it</ExternalLink>
          <Tooltip text="Ad hoc builds install on registered devices only">ad hoc</Tooltip>
        </Inline>
        <CopyField
          label="Install link"
          value="https://agate.example.com/install/4hK2vQ9sXw7bTnR3mZpL"
          copyLabel="Copy install link"
        />
        <CodeBlock label="Upload from a script" text={SNIPPET} copyLabel="Copy snippet" />
        <Inline gap={12}>
          {ICONS.map((name) => (
            <Icon key={name} name={name} />
          ))}
        </Inline>
      </Stack>
    </Card>
  );
}
