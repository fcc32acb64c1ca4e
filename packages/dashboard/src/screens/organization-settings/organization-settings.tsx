import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { GuardedForm } from '../../parts/guarded-form';
import { QuotasCard } from '../../parts/quotas-card';
import { SettingsGroup } from '../../parts/settings-group';
import { WebhooksCard } from '../../parts/webhooks-card';
import { type SessionOrganization, sessionQuery, useOrganizations } from '../../queries/account/session';
import { organizationQuotasQuery } from '../../queries/organization/organization';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { Card, Columns, DescriptionList, PageHeader, Stack, SubmitRow, TextField, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { BrandingCard } from './branding-card';
import { DeleteOrganization } from './delete-organization';
import { ExportData } from './export-data';
import { LeaveOrganization } from './leave-organization';

/** The settings of an organization: name, quotas, export, leaving, deletion. */
export function OrganizationSettings() {
  const { frame, settings: words } = useWords();
  const heading = frame.organizationSettings;
  const { org } = useParams({ from: '/member/o/$org' });
  const organization = useOrganizations().find(({ id }) => id === org);
  const quotas = useQuery(organizationQuotasQuery(org));
  useTitle(heading, organization?.name);
  // After leaving, the organization is missing before the address changes.
  if (!organization) return null;
  return (
    <Stack>
      <PageHeader title={heading} detail={organization.name} />
      <Columns shape="aside">
        <Stack>
          <General key={org} organization={organization} />
          <SettingsGroup title={words.outward}>
            <BrandingCard organizationId={org} />
            <WebhooksCard organizationId={org} />
          </SettingsGroup>
          <SettingsGroup title={words.dataAndMembership}>
            <ExportData organizationId={org} />
            <LeaveOrganization organization={organization} />
          </SettingsGroup>
          <DeleteOrganization organization={organization} />
        </Stack>
        <QuotasCard query={quotas} />
      </Columns>
    </Stack>
  );
}

function General({ organization: { id, name } }: { organization: SessionOrganization }) {
  const words = useWords().settings;
  const may = useMay({ organizationId: id });
  const queryClient = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (values: FormData) =>
      api.request('PATCH /organizations/{organization_id}', {
        path: { organization_id: id },
        body: { name: (values.get('name') as string).trim() },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(sessionQuery);
      toast(words.saved, { tone: 'success' });
    },
  });
  const reason = may('PATCH /organizations/{organization_id}');
  if (reason !== undefined) {
    return (
      <Card title={words.general}>
        <DescriptionList items={[{ label: words.name, value: name }]} />
        <p className="soft">{reason}</p>
      </Card>
    );
  }
  return (
    <Card title={words.general}>
      <GuardedForm errors={change.error} onSubmit={(values) => change.mutate(values)}>
        <TextField
          label={words.name}
          hint={words.organizationNameHint}
          name="name"
          defaultValue={name}
          maxLength={100}
          autoComplete="organization"
          required
        />
        <SubmitRow variant="primary" busy={change.isPending}>
          {words.save}
        </SubmitRow>
      </GuardedForm>
    </Card>
  );
}
