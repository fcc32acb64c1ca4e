import { Banner, Button, Card, Columns, EmptyState, ErrorCard, Progress, Skeleton, Stack } from '../ui';

export function Feedback() {
  return (
    <Stack>
      <Banner title="Confirm your e-mail address" tone="warning" actions={<Button>Send the mail again</Button>}>
        Until then you can look, but not change anything.
      </Banner>
      <Banner title="A new version of the dashboard is available" actions={<Button>Reload</Button>} />
      <Banner title="The credit is used up" tone="problem" actions={<Button variant="primary">Add credit</Button>}>
        Uploads are refused. Downloads go on.
      </Banner>
      <Banner title="The bucket passed all twelve checks" tone="success" />
      <Columns>
        <ErrorCard
          message="The service is busy."
          advice="Wait a moment."
          requestId="0190a5d2-7c1e-7b3a-9f1d-2f6a8c1b4e77"
          retryAfter={3600}
          onRetry={() => undefined}
        />
        <Card title="Uploads">
          <Stack>
            <Progress label="Rocket.ipa" value={0.62} text="62%" />
            <Progress label="Big.apk" text="Reading the app…" />
          </Stack>
        </Card>
      </Columns>
      <Card title="Builds without rows" hideTitle>
        <EmptyState title="No builds yet" actions={<Button variant="primary">Upload build</Button>}>
          Drop an .ipa, .apk or .aab here, or send it from your CI.
        </EmptyState>
      </Card>
      <Card title="Downloads">
        <EmptyState
          compact
          level={3}
          title="Nobody has installed it yet"
          actions={<Button>Copy install link</Button>}
        />
      </Card>
      <Columns>
        <Card title="Loading lines">
          <Skeleton />
        </Card>
        <Card title="Loading rows" flush>
          <Skeleton shape="rows" count={3} />
        </Card>
      </Columns>
      <Skeleton shape="cards" count={2} />
    </Stack>
  );
}
