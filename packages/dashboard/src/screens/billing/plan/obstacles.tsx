import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { itemsOf } from '../../../parts/lists/list-screen';
import { type Plan, type Service } from '../../../queries/organization/billing';
import { ownStorageQuery } from '../../../queries/organization/own-storage';
import { projectsQuery } from '../../../queries/organization/projects';
import { Banner, Inline } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import { useBillingPlace } from '../use-billing-place';

/** More links than a reader would follow make the dialog long. */
const MOST_PLACES = 5;

export interface Obstacle {
  /** What to do before the change. */
  readonly text: string;
  /** The links to the screens where that is done. */
  readonly places: readonly ReactNode[];
}

/** What uses a feature that the chosen plan lacks, as far as it is loaded. The service rejects the change because of it. */
export function useObstacles(chosen: Plan, service: Service): readonly Obstacle[] {
  const words = useWords().billing.obstacles;
  const { organizationId: org, may } = useBillingPlace();
  const features = service.plans.find(({ plan }) => plan === chosen)?.features ?? [];
  const lacks = (feature: (typeof features)[number]): boolean => !features.includes(feature);
  const list = useInfiniteQuery(projectsQuery(org));
  const maySeeStorage = may('GET /organizations/{organization_id}/byosa') === undefined;
  const { data: storage } = useQuery({ ...ownStorageQuery(org), enabled: maySeeStorage });
  const withChannels = itemsOf(list).filter(({ summary }) => (summary?.counts.channels ?? 0) > 0);
  const hasStorage = storage !== undefined && storage.state !== 'none';
  const obstacles: Obstacle[] = [];
  if (lacks('channels') && withChannels.length > 0) {
    const places = withChannels.slice(0, MOST_PLACES).map(({ id, name }) => (
      <Link key={id} to="/o/$org/p/$project/channels" params={{ org, project: id }}>
        {words.channelsOf(name)}
      </Link>
    ));
    obstacles.push({ text: words.channels, places });
  }
  if (lacks('own_storage') && hasStorage) {
    const place = (
      <Link key="storage" to="/o/$org/storage" params={{ org }}>
        {words.openStorage}
      </Link>
    );
    obstacles.push({ text: words.own_storage, places: [place] });
  }
  return obstacles;
}

/** What blocks the change, with the ways to it. */
export const Obstacles = ({ obstacles }: { readonly obstacles: readonly Obstacle[] }) =>
  obstacles.map(({ text, places }) => (
    <Banner key={text} tone="problem" title={text}>
      <Inline>{places}</Inline>
    </Banner>
  ));
