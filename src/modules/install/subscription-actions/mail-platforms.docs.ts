import { type ControllerDocs } from '#infra/http/describe';

export const MAIL_PLATFORMS_DOCS = {
  choose: {
    description:
      'For testers. It chooses the platforms whose releases they are mailed about; the default is all. Builds of other platforms stay on their page. It needs the link of a mail that was sent to this tester; other links are `404`. A form gets a page that can undo the change, JSON gets `204`.',
    retry: 'It can be repeated with the same link: each choice replaces the one before.',
  },
} satisfies ControllerDocs;
