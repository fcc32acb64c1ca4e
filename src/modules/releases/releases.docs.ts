import { type ControllerDocs } from '#infra/http/describe';

export const RELEASES_DOCS = {
  list: 'Use it to show the history of a channel. Withdrawn releases are not listed.',
  promote:
    'Use it to give a build to the testers of a channel. It becomes the current release of its platform: the install link of the channel shows it immediately, and the subscribers of the channel are mailed a minute later, in the background, each once, about what is current then. With `notify: false` none of them is mailed about this release. Mails above a limit per tester, channel or organization wait. The release before it stays in the history. To go back, promote the older build again. The current build of the channel is `409 already_exists`. A build that no device can install may be promoted; its page gives the reason. Needs the plan `business`.',
  current:
    'Use it to find out what the testers of a channel install now: at most one release per platform. It is a plain array, because it has at most one item per platform.',
  recipients:
    'Use it before a promotion, to show how many testers it would mail. It changes nothing. Mails above a limit per tester, channel or organization are sent later, and are counted. It also counts for a build that is current already, which cannot be promoted again.',
  get: 'Use it to show one release with its build.',
  undo: 'Use it right after a promotion that was a mistake. Within a minute, before the mails about it go out, the release is deleted as if it had never been promoted: no tester is mailed about it, and the release before it is current again. If that one was promoted shortly before and its mails did not go out because it was replaced, they go out now. After a minute, or when the mails went out already together with those of another platform, the response is `400 operation_not_allowed`, reason `undo_expired`: withdraw the release instead. When another release replaced it, the reason is `undo_replaced`; when testers were reminded of it, `undo_reminded`.',
  withdraw:
    'Use it when a release must not be installed any longer. It disappears from the history and from install pages. If it was current, the release before it is current again, and no mail is sent. Mails about it that were not sent yet are not sent. The build stays.',
} satisfies ControllerDocs;

export const RELEASE_REMINDERS_DOCS = {
  remind: {
    description:
      'Mails testers again about a release that is current: those in `tester_ids`, or all of its audience who do not have the build. The mails go out within a minute, in the background, with a sentence that says that they are a reminder. A tester is reminded of a release once in 24 hours, and the limits of the mails about releases apply: mails above a limit wait. A reminder that waits is dropped when the tester has installed the build, and when another release is current. Testers who were not mailed about the release yet get the mail about it. A release that is not current is `409 operation_not_allowed`, reason `not_current`.',
    retry: 'It can be repeated at any time: testers who were reminded within 24 hours are skipped.',
  },
} satisfies ControllerDocs;

export const PROJECT_RELEASES_DOCS = {
  list: 'Use it to show what happened in all channels of a project. `GET /releases` lists one channel. Withdrawn releases are not listed.',
} satisfies ControllerDocs;
