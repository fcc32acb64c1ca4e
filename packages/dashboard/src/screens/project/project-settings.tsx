import { type Language, type ProjectResponse } from '@agate/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTitle } from '../../frame/use-title';
import { GuardedForm } from '../../parts/guarded-form';
import { QuotasCard } from '../../parts/quotas-card';
import { SettingsGroup } from '../../parts/settings-group';
import { UpdateKeys } from '../../parts/updates/update-keys';
import { WebhooksCard } from '../../parts/webhooks-card';
import { keyOf } from '../../queries/keys';
import { type ProjectPages, projectQuery, projectSummaryQuery, renamedIn } from '../../queries/organization/projects';
import { projectQuotasQuery } from '../../queries/project/project-quotas';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import {
  Card,
  Checkbox,
  Columns,
  DescriptionList,
  PageHeader,
  Select,
  Stack,
  SubmitRow,
  TextField,
  useToast,
} from '../../ui';
import { useWords } from '../../words/words-provider';
import { AgentsCard } from './agents-card';
import { BranchChannels } from './branch-channels';
import { DeleteProject } from './delete-project';
import { MinSupportedVersions } from './min-supported-versions';
import { RetentionCard } from './retention-card';

const LANGUAGES: readonly Language[] = ['en', 'de'];

/** The settings of a project: name, language of the mails, bundle ids, quotas, updates, deletion. */
export function ProjectSettings() {
  const { frame, settings: words } = useWords();
  const heading = frame.projectSettings;
  const { scope } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const quotas = useQuery(projectQuotasQuery(scope));
  useTitle(heading, project?.name);
  return (
    <Stack>
      <PageHeader title={heading} detail={project?.name} />
      <Columns shape="aside">
        <Stack>
          {project && <General key={project.id} project={project} />}
          <SettingsGroup title={words.ofBuilds}>
            {project && <BranchChannels key={`branches ${project.id}`} setting={project.branch_channels} />}
            <RetentionCard />
            <Updates />
          </SettingsGroup>
          <SettingsGroup title={words.connections}>
            <WebhooksCard organizationId={scope.organization_id} projectId={scope.project_id} />
            <AgentsCard />
          </SettingsGroup>
          {project && <DeleteProject project={project} />}
        </Stack>
        <QuotasCard query={quotas} />
      </Columns>
    </Stack>
  );
}

/** The update keys of the project, and the lowest supported versions of its apps. */
function Updates() {
  const words = useWords().updates;
  return (
    <Card level={3} title={words.heading}>
      <Stack gap={8}>
        <p className="soft">{words.ofProject}</p>
        <UpdateKeys channelId={null} />
        <MinSupportedVersions />
      </Stack>
    </Card>
  );
}

type Change = Pick<ProjectResponse, 'name' | 'language' | 'allow_any_bundle_id' | 'signing_expiry_mails'>;

const changeOf = (values: FormData): Change => ({
  name: (values.get('name') as string).trim(),
  language: values.get('language') as Language,
  allow_any_bundle_id: values.has('allow_any_bundle_id'),
  signing_expiry_mails: values.has('signing_expiry_mails'),
});

function General({ project }: { project: ProjectResponse }) {
  const words = useWords().settings;
  const { organizationId, projectId, scope } = useProjectPlace();
  const { data: summary } = useQuery(projectSummaryQuery(scope));
  const may = useMay({ organizationId, projectId });
  const change = useChange();
  const reason = may('PATCH /projects/{project_id}');
  // Until the role in the project is known, the form is what most visitors of this screen may use.
  if (summary && reason !== undefined) {
    const facts = [
      { label: words.name, value: project.name },
      { label: words.language, value: words.languages[project.language] },
      { label: words.anyBundleId, value: project.allow_any_bundle_id ? words.yes : words.no },
      { label: words.signingMails, value: project.signing_expiry_mails ? words.yes : words.no },
    ];
    return (
      <Card title={words.general}>
        <DescriptionList items={facts} />
        <p className="soft">{reason}</p>
      </Card>
    );
  }
  return (
    <Card title={words.general}>
      <GuardedForm errors={change.error} onSubmit={(values) => change.mutate(changeOf(values))}>
        <TextField
          label={words.name}
          hint={words.projectNameHint}
          name="name"
          defaultValue={project.name}
          maxLength={100}
          autoComplete="off"
          required
        />
        <Select
          label={words.language}
          hint={words.languageHint}
          name="language"
          defaultValue={project.language}
          options={LANGUAGES.map((value) => ({ value, label: words.languages[value] }))}
        />
        <Checkbox
          label={words.anyBundleId}
          hint={words.anyBundleIdHint}
          name="allow_any_bundle_id"
          defaultChecked={project.allow_any_bundle_id}
        />
        <Checkbox
          label={words.signingMails}
          hint={words.signingMailsHint}
          name="signing_expiry_mails"
          defaultChecked={project.signing_expiry_mails}
        />
        <SubmitRow variant="primary" busy={change.isPending} disabledReason={reason}>
          {words.save}
        </SubmitRow>
      </GuardedForm>
    </Card>
  );
}

/** Saves the changed fields. Shows them immediately where the project's name appears, and the old ones again when they are rejected. */
function useChange() {
  const words = useWords().settings;
  const { organizationId, projectId, scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { queryKey } = projectQuery(scope);
  return useMutation({
    mutationFn: (body: Change) =>
      api.request('PATCH /projects/{project_id}', {
        path: { project_id: projectId },
        query: { organization_id: organizationId },
        body,
      }),
    onMutate: async (change) => {
      const listed = { queryKey: keyOf('projects', organizationId) };
      await Promise.all([queryClient.cancelQueries({ queryKey }), queryClient.cancelQueries(listed)]);
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, (project) => project && { ...project, ...change });
      queryClient.setQueriesData<ProjectPages>(listed, (pages) => pages && renamedIn(pages, projectId, change.name));
      return before;
    },
    onError: async (_error, _change, before) => {
      queryClient.setQueryData(queryKey, before);
      await queryClient.invalidateQueries({ queryKey: keyOf('projects', organizationId) });
    },
    onSuccess: async (changed) => {
      queryClient.setQueryData(projectQuery(scope).queryKey, changed);
      toast(words.saved, { tone: 'success' });
      await queryClient.invalidateQueries({ queryKey: keyOf('projects', organizationId) });
    },
  });
}
