import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { NotFound } from '../../frame/not-found';
import { useTitle } from '../../frame/use-title';
import { FirstBuild } from '../../parts/builds/first-build';
import { LoadError } from '../../parts/lists/load-error';
import { ownInvitationsQuery } from '../../queries/account/own-invitations';
import { sessionQuery, useOrganizations } from '../../queries/account/session';
import { keyOf } from '../../queries/keys';
import { newestBuildQuery } from '../../queries/project/builds';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import {
  Card,
  focusHeading,
  Form,
  PageHeader,
  Skeleton,
  Stack,
  type Step,
  Steps,
  SubmitRow,
  TextField,
} from '../../ui';
import { useTexts, useWords } from '../../words/words-provider';
import { FirstBuildReady } from './first-build-ready';
import { OwnInvitations } from './own-invitations';
import styles from './welcome.module.css';

const STEPS = ['organization', 'project', 'build', 'install'] as const;

/** The first steps: organization, project, build, install link. The address stores the completed steps. */
export function Welcome() {
  const words = useWords().welcome;
  const { org, project } = useSearch({ from: '/member/welcome' });
  const isKnown = useOrganizations().some(({ id }) => id === org);
  useTitle(words.heading);
  if (org !== undefined && !isKnown) return <NotFound />;
  return (
    <Stack gap={24} className={styles.page}>
      <PageHeader title={words.heading} />
      {org === undefined && <Beginning />}
      {org !== undefined && project === undefined && (
        <>
          <Progress current={1} />
          <CreateProject organizationId={org} />
        </>
      )}
      {org !== undefined && project !== undefined && <Build organizationId={org} projectId={project} />}
    </Stack>
  );
}

/** Invitations are above the form, so both appear at the same time: nothing moves while a person types. */
function Beginning() {
  const { isPending } = useQuery(ownInvitationsQuery);
  if (isPending) return <Skeleton shape="cards" count={1} />;
  return (
    <>
      <Progress current={0} />
      <OwnInvitations />
      <CreateOrganization />
    </>
  );
}

function Progress({ current }: { current: number }) {
  const words = useWords().welcome;
  const items = STEPS.map((step, at): Step => {
    const state = at < current ? 'done' : at === current ? 'current' : 'todo';
    return { label: words.step[step], state };
  });
  return <Steps label={words.steps} items={items} />;
}

/** The last two steps. The build completes the third one, even when it comes from a CI system. */
function Build({ organizationId, projectId }: { organizationId: string; projectId: string }) {
  const scope = { organization_id: organizationId, project_id: projectId };
  const { data: build, error, refetch } = useQuery(newestBuildQuery(scope));
  useFocusOnChange(build !== undefined && build !== null);
  if (build === undefined) {
    return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Skeleton shape="cards" count={2} />;
  }
  return (
    <>
      <Progress current={build === null ? 2 : 3} />
      {build === null ? (
        <FirstBuild organizationId={organizationId} projectId={projectId} />
      ) : (
        <FirstBuildReady build={build} />
      )}
    </>
  );
}

/** Focuses the heading when the previous step, which had the focus, is removed. */
function useFocusOnChange(isReady: boolean): void {
  const before = useRef(isReady);
  useEffect(() => {
    if (before.current !== isReady && document.activeElement === document.body) focusHeading();
    before.current = isReady;
  }, [isReady]);
}

/** The first step. Creates an organization and continues with its first project. */
function CreateOrganization() {
  const words = useWords().welcome.organization;
  const may = useMay({ organizationId: '' });
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const creation = useMutation({
    mutationFn: (name: string) => api.request('POST /organizations', { body: { name } }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries(sessionQuery);
      await navigate({ to: '/welcome', search: { org: id } });
    },
  });
  return (
    <Card title={words.heading}>
      <p className="soft">{words.text}</p>
      <Form errors={creation.error} onSubmit={(values) => creation.mutate((values.get('name') as string).trim())}>
        <TextField label={words.name} name="name" autoComplete="organization" maxLength={100} required autoFocus />
        <SubmitRow variant="primary" busy={creation.isPending} disabledReason={may('POST /organizations')}>
          {words.create}
        </SubmitRow>
      </Form>
    </Card>
  );
}

/** The second step. Creates a project and continues with its first build. */
function CreateProject({ organizationId }: { organizationId: string }) {
  const { words: all, language } = useTexts();
  const words = all.welcome.project;
  const may = useMay({ organizationId });
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const creation = useMutation({
    mutationFn: (name: string) =>
      api.request('POST /projects', { query: { organization_id: organizationId }, body: { name, language } }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: keyOf('projects', organizationId) });
      await navigate({ to: '/welcome', search: { org: organizationId, project: id } });
    },
  });
  return (
    <Card title={words.heading}>
      <p className="soft">{words.text}</p>
      <Form errors={creation.error} onSubmit={(values) => creation.mutate((values.get('name') as string).trim())}>
        <TextField label={words.name} name="name" maxLength={100} autoComplete="off" required autoFocus />
        <SubmitRow variant="primary" busy={creation.isPending} disabledReason={may('POST /projects')}>
          {words.create}
        </SubmitRow>
      </Form>
    </Card>
  );
}
