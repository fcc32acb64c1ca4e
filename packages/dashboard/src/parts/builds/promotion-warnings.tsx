import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { type Build } from '../../queries/project/builds';
import { diffQuery } from '../../queries/project/releases';
import { useProjectPlace } from '../../session/use-project-place';
import { Badge, Banner, Icon, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './promotion-warnings.module.css';
import { useWarningText } from './warning-text';

/** Says that no device installs the build, and why. Empty for a build that can be installed. */
export function Blocked({ build }: { build: Build }) {
  const title = useWords().promotion.blocked;
  if (build.installable) return null;
  return (
    <Banner tone="problem" title={title}>
      <Suspense>
        <Reason build={build} />
      </Suspense>
    </Banner>
  );
}

function Reason({ build: { not_installable } }: { build: Build }) {
  const textOf = useWarningText();
  return not_installable && textOf(not_installable);
}

export interface PromotionWarningsProps {
  readonly build: Build;
  /** The build that it replaces. Warnings that this one lacks are marked as new. Absent when it replaces none. */
  readonly againstId: string | undefined;
}

/** The warnings of the build, except the one because of which no device installs it. */
export function PromotionWarnings({ build, againstId }: PromotionWarningsProps) {
  const warnings = build.warnings.filter(({ code }) => code !== build.not_installable?.code);
  return (
    warnings.length > 0 && (
      <Suspense>
        <List warnings={warnings} build={build} againstId={againstId} />
      </Suspense>
    )
  );
}

function List({ build, againstId, warnings }: PromotionWarningsProps & Pick<Build, 'warnings'>) {
  const words = useWords().promotion;
  const { scope } = useProjectPlace();
  const textOf = useWarningText();
  const isReplacement = againstId !== undefined && againstId !== build.id;
  const { data: diff } = useQuery({ ...diffQuery(scope, build.id, againstId ?? ''), enabled: isReplacement });
  const added = new Set(diff?.warnings?.added.map(({ code }) => code));
  return (
    <Stack gap={4}>
      <h4>{words.warnings}</h4>
      <ul className={styles.warnings}>
        {warnings.map((warning) => (
          <li key={warning.code}>
            <Icon name="warning" />
            <span>
              {added.has(warning.code) && <Badge tone="warning">{words.isNew}</Badge>} {textOf(warning)}
            </span>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
