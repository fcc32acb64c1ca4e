import { useMutation } from '@tanstack/react-query';
import { useChanged } from '../../queries/changes';
import { type Build, pinBuild } from '../../queries/project/builds';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

interface PinBuildsProps {
  readonly builds: readonly Build[];
  readonly onDone: () => void;
}

/** Pins the selected builds; when all of them are pinned, unpins them. */
export function PinBuilds({ builds, onDone }: PinBuildsProps) {
  const words = useWords().builds;
  const format = useFormat();
  const { organizationId, projectId, scope } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const changed = useChanged();
  const toast = useToast();
  const change = useMutation({
    mutationFn: async (pins: boolean) => {
      const changing = builds.filter(({ pinned }) => pinned !== pins);
      for (const { id } of changing) await pinBuild(scope, id, pins);
      return changing.length;
    },
    onSuccess: (count, pins) => {
      toast(format.plural(count, pins ? words.pinnedMany : words.unpinnedMany));
      onDone();
    },
    onError: (error) => toast(error.message, { tone: 'problem' }),
    onSettled: () => changed(...builds.map(({ id }) => ({ type: 'build.updated', build_id: id }))),
  });
  // The list may show that the first is pinned while the others follow.
  const pins = change.isPending ? change.variables : builds.some(({ pinned }) => !pinned);
  return (
    <Button
      icon="pin"
      busy={change.isPending}
      disabledReason={may('PATCH /builds/{build_id}')}
      onClick={() => change.mutate(pins)}
    >
      {pins ? words.pin : words.unpin}
    </Button>
  );
}
