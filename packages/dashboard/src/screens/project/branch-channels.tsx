import { type ProjectResponse } from '@agate/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { GuardedForm } from '../../parts/guarded-form';
import { projectQuery, projectSummaryQuery } from '../../queries/organization/projects';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Card, Checkbox, DescriptionList, SubmitRow, TextField, textOf, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

type Setting = ProjectResponse['branch_channels'];

const DEFAULTS = { pattern: 'feature/*', name: 'branch-{slug}', days: 14 };

const settingOf = (values: FormData): Setting =>
  values.has('branch_channels')
    ? {
        pattern: textOf(values, 'branch_channels.pattern').trim(),
        name: textOf(values, 'branch_channels.name').trim(),
        days: Number(textOf(values, 'branch_channels.days')),
      }
    : null;

/** Lets uploads of matching branches make channels. */
export function BranchChannels({ setting }: { readonly setting: Setting }) {
  const words = useWords().settings.branchChannels;
  const { organizationId, projectId, scope } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('PATCH /projects/{project_id}');
  const { data: summary } = useQuery(projectSummaryQuery(scope));
  const change = useChange();
  const [isOn, setIsOn] = useState(setting !== null);
  // Until the role in the project is known, the form is what most visitors of this screen may use.
  if (summary && reason !== undefined) return <Facts setting={setting} />;
  return (
    <Card level={3} title={words.heading}>
      <p className="soft">{words.text}</p>
      <GuardedForm errors={change.error} onSubmit={(values) => change.mutate(settingOf(values))}>
        <Checkbox
          label={words.on}
          name="branch_channels"
          checked={isOn}
          onChange={(event) => setIsOn(event.currentTarget.checked)}
        />
        {isOn && <Rule {...(setting ?? DEFAULTS)} />}
        <SubmitRow busy={change.isPending} disabledReason={reason}>
          {words.save}
        </SubmitRow>
      </GuardedForm>
    </Card>
  );
}

/** What those read who may not change it. */
function Facts({ setting }: { readonly setting: Setting }) {
  const { branchChannels: words, yes, no } = useWords().settings;
  const facts = [{ label: words.on, value: setting ? yes : no }];
  if (setting) facts.push({ label: words.pattern, value: setting.pattern }, { label: words.name, value: setting.name });
  return (
    <Card level={3} title={words.heading}>
      <p className="soft">{words.text}</p>
      <DescriptionList items={facts} />
    </Card>
  );
}

function Rule({ pattern, name, days }: NonNullable<Setting>) {
  const words = useWords().settings.branchChannels;
  return (
    <>
      <TextField
        label={words.pattern}
        hint={words.patternHint}
        name="branch_channels.pattern"
        mono
        defaultValue={pattern}
        maxLength={200}
        autoComplete="off"
        required
      />
      <TextField
        label={words.name}
        hint={words.nameHint}
        name="branch_channels.name"
        mono
        defaultValue={name}
        maxLength={50}
        pattern="[^\{\}]*\{slug\}[^\{\}]*"
        title={words.nameFormat}
        autoComplete="off"
        required
      />
      <TextField
        label={words.days}
        hint={words.daysHint}
        name="branch_channels.days"
        type="number"
        defaultValue={days}
        min={1}
        max={365}
        required
      />
    </>
  );
}

function useChange() {
  const words = useWords().settings;
  const { organizationId, projectId, scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (branch_channels: Setting) =>
      api.request('PATCH /projects/{project_id}', {
        path: { project_id: projectId },
        query: { organization_id: organizationId },
        body: { branch_channels },
      }),
    onSuccess: (project) => {
      queryClient.setQueryData(projectQuery(scope).queryKey, project);
      toast(words.saved, { tone: 'success' });
    },
  });
}
