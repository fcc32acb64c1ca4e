import { useMutation, useQuery } from '@tanstack/react-query';
import { useFirst } from '../../../parts/use-first';
import { useChanged } from '../../../queries/changes';
import { versionOf } from '../../../queries/project/builds';
import { channelChoicesQuery } from '../../../queries/project/channel-choices';
import { invitationBuildsQuery, type Tester } from '../../../queries/project/testers';
import { api } from '../../../session/api';
import { useProjectPlace } from '../../../session/use-project-place';
import { Button, Dialog, Form, Select, Skeleton, textOf, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';

const FORM = 'invite-tester';

/** The object that an invitation's link opens. Empty: everything that the tester may install. */
interface Target {
  readonly channel_id?: string;
  readonly build_id?: string;
}

/** Mails a tester a link. */
export function useInvitation({ id, email }: Tester) {
  const words = useWords().testers;
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  return useMutation({
    mutationFn: ({ build_id, ...target }: Target) =>
      api.request('POST /testers/{tester_id}/invite', {
        path: { tester_id: id },
        query: { ...scope, ...target },
        body: { ...(build_id !== undefined && { build_id }) },
      }),
    onSuccess: async () => {
      toast(words.invited(email), { tone: 'success' });
      await changed({ type: 'tester.invited', tester_id: id });
    },
  });
}

/** Asks which object the link opens, for a tester without channels. */
export function InviteDialog({ tester, onClose }: { tester: Tester; onClose: () => void }) {
  const { invite, inviteDialog: words } = useWords().testers;
  const { cancel } = useWords().ui;
  const { platforms } = useWords().builds;
  const { scope } = useProjectPlace();
  const channels = useFirst(useQuery(channelChoicesQuery(scope)));
  const builds = useFirst(useQuery(invitationBuildsQuery(scope)));
  const invitation = useInvitation(tester);
  const isLoaded = channels !== undefined && builds !== undefined;
  const hasTarget = isLoaded && channels.length + builds.length > 0;
  return (
    <Dialog
      title={words.title(tester.email)}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          {hasTarget && (
            <Button type="submit" form={FORM} variant="primary" busy={invitation.isPending}>
              {invite}
            </Button>
          )}
        </>
      }
    >
      {!isLoaded && <Skeleton count={3} />}
      {isLoaded && !hasTarget && <p>{words.nothing}</p>}
      {hasTarget && (
        <Form
          id={FORM}
          errors={invitation.error}
          onSubmit={(values) => {
            const [kind, id] = textOf(values, 'target').split(':');
            invitation.mutate({ [`${kind}_id`]: id }, { onSuccess: onClose });
          }}
        >
          <p>{words.text}</p>
          <Select label={words.target} name="target">
            <Choices label={words.channels} kind="channel" choices={channels.map(({ id, name }) => ({ id, name }))} />
            <Choices
              label={words.builds}
              kind="build"
              choices={builds.map((build) => ({
                id: build.id,
                name: `${versionOf(build)} · ${platforms[build.platform] ?? build.platform}`,
              }))}
            />
          </Select>
        </Form>
      )}
    </Dialog>
  );
}

interface ChoicesProps {
  readonly label: string;
  readonly kind: 'channel' | 'build';
  readonly choices: readonly { readonly id: string; readonly name: string }[];
}

function Choices({ label, kind, choices }: ChoicesProps) {
  if (choices.length === 0) return null;
  return (
    <optgroup label={label}>
      {choices.map(({ id, name }) => (
        <option key={id} value={`${kind}:${id}`}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}
