import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { DeferredMissingBuild } from '../../frame/deferred-missing-build';
import { Found } from '../../frame/found';
import { useTitle } from '../../frame/use-title';
import { BuildTabs } from '../../parts/link-tabs';
import { projectQuery } from '../../queries/organization/projects';
import { type Build, buildQuery, versionOf } from '../../queries/project/builds';
import { useProjectPlace } from '../../session/use-project-place';
import { AppIcon, PageHeader, Skeleton, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { Links, NewLinkButton } from './links';

/** The links of a build. */
export function BuildLinks() {
  const { scope } = useProjectPlace();
  const { build: id } = useParams({ from: '/member/o/$org/p/$project/builds/$build/links' });
  const query = useQuery(buildQuery(scope, id));
  return (
    <Found query={query} missing={<DeferredMissingBuild buildId={id} />} waiting={<Skeleton shape="rows" count={3} />}>
      {(build) => <Screen build={build} />}
    </Found>
  );
}

function Screen({ build }: { readonly build: Build }) {
  const { links: words, frame } = useWords();
  const { scope, params } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const version = versionOf(build);
  const name = build.app.name ?? project?.name ?? build.file_name;
  useTitle(words.heading(version), project?.name);
  return (
    <Stack gap={16}>
      <PageHeader
        title={`${name} ${version}`}
        icon={<AppIcon name={name} src={build.icon_url} size={64} />}
        above={
          <Link to="/o/$org/p/$project/builds" params={params}>
            {frame.builds}
          </Link>
        }
        detail={words.detail}
        actions={<NewLinkButton />}
      />
      <BuildTabs buildId={build.id} />
      <Links target={{ kind: 'build', id: build.id }} />
    </Stack>
  );
}
