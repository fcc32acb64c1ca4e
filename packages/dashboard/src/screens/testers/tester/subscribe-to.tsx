import { useQuery } from '@tanstack/react-query';
import { channelChoicesQuery } from '../../../queries/project/channel-choices';
import { useProjectPlace } from '../../../session/use-project-place';
import { CheckboxGroup } from '../../../ui';
import { useWords } from '../../../words/words-provider';

interface SubscribeToProps {
  /** Used with `onValue`. Without both, the form reads the ids with `FormData.getAll('channels')`. */
  readonly value?: readonly string[];
  readonly onValue?: (channelIds: string[]) => void;
}

/** The channels to which people are subscribed when they are added. Hidden when the project has none. */
export function SubscribeTo(props: SubscribeToProps) {
  const words = useWords().testers;
  const { scope } = useProjectPlace();
  const { data: channels } = useQuery(channelChoicesQuery(scope));
  if (!channels || channels.length === 0) return null;
  return (
    <CheckboxGroup
      label={words.subscribeTo}
      name="channels"
      inline
      options={channels.map(({ id, name }) => ({ value: id, label: name }))}
      {...props}
    />
  );
}
