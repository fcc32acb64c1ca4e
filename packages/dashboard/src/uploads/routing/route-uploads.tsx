import { type ListedProjectResponse } from '@agate/client';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useDeveloper } from '../../queries/account/session';
import { refetchAfter } from '../../queries/changes';
import { queryClient } from '../../queries/client';
import { projectsQuery } from '../../queries/organization/projects';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { FormDialog, Select, textOf } from '../../ui';
import { useWords } from '../../words/words-provider';
import { type ChosenFile } from '../browser/files';
import { uploads } from '../uploads';
import { type FoundApp, readApp } from './read-app';

export interface RouteUploadsProps {
  readonly organizationId: string;
  readonly files: readonly ChosenFile[];
  readonly onClose: () => void;
}

interface Proposal extends FoundApp {
  readonly chosen: ChosenFile;
  /** The project that accepts builds of the app; null without one. */
  readonly project: Pick<ListedProjectResponse, 'id' | 'name'> | null;
}

/** The value of the choice that makes a project. */
const NEW = 'new';

async function proposalOf(chosen: ChosenFile, organizationId: string): Promise<Proposal> {
  const app = await readApp(chosen.file);
  if (app.bundleId === null) return { ...app, chosen, project: null };
  const query = { organization_id: organizationId, bundle_id: app.bundleId };
  const { items } = await api.request('GET /projects', { query }).catch(() => ({ items: [] }));
  return { ...app, chosen, project: items[0] ?? null };
}

/** Asks which project files belong to that were dropped on a screen of no project, and proposes the one that holds their app. */
export function RouteUploads({ organizationId, files, onClose }: RouteUploadsProps) {
  const words = useWords().uploads.routing;
  const developer = useDeveloper();
  const [proposals, setProposals] = useState<readonly Proposal[]>();
  const reason = useMay({ organizationId })('POST /projects');
  useEffect(() => {
    void Promise.all(files.map((file) => proposalOf(file, organizationId))).then(setProposals);
  }, [files, organizationId]);
  const start = useMutation({
    mutationFn: async (values: FormData) => {
      const made = new Map<string, string>();
      for (const [index, { chosen, name }] of (proposals ?? []).entries()) {
        let projectId = textOf(values, String(index));
        if (projectId === NEW) {
          projectId = made.get(name) ?? (await createProject(organizationId, name));
          made.set(name, projectId);
        }
        uploads.add([chosen], { organizationId, projectId }, developer.id);
      }
    },
    onSuccess: onClose,
  });
  if (!proposals) return null;
  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      submitLabel={words.upload}
      busy={start.isPending}
      errors={start.error}
      onSubmit={(values) => start.mutate(values)}
    >
      {proposals.map((proposal, index) => (
        <ProjectChoice
          key={index}
          name={String(index)}
          proposal={proposal}
          organizationId={organizationId}
          mayCreate={reason === undefined}
        />
      ))}
    </FormDialog>
  );
}

async function createProject(organizationId: string, name: string): Promise<string> {
  const { id } = await api.request('POST /projects', { query: { organization_id: organizationId }, body: { name } });
  void refetchAfter(queryClient, organizationId, [{ type: 'project.created', project_id: id }]);
  return id;
}

interface ProjectChoiceProps {
  readonly name: string;
  readonly proposal: Proposal;
  readonly organizationId: string;
  readonly mayCreate: boolean;
}

function ProjectChoice({ name, proposal: { chosen, bundleId, project, ...app }, ...rest }: ProjectChoiceProps) {
  const words = useWords().uploads.routing;
  const { data } = useInfiniteQuery(projectsQuery(rest.organizationId));
  const others = data?.pages.flatMap(({ items }) => items).filter(({ id }) => id !== project?.id) ?? [];
  return (
    <Select
      label={chosen.file.name}
      name={name}
      required
      hint={bundleId === null ? words.unknown : project ? words.known(bundleId) : words.first(bundleId)}
      defaultValue={project?.id ?? (bundleId !== null && rest.mayCreate ? NEW : '')}
      options={[
        { value: '', label: words.choose },
        ...[...(project ? [project] : []), ...others].map(({ id, name: label }) => ({ value: id, label })),
        ...(rest.mayCreate ? [{ value: NEW, label: words.create(app.name) }] : []),
      ]}
    />
  );
}
