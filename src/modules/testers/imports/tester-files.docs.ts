import { type ControllerDocs } from '#infra/http/describe';

const OUTCOMES =
  'Addresses that the project already has, and those of people who unsubscribed, are not errors: `outcome` gives the result of each. With `channel_id` all testers are also subscribed to the channel, except those who unsubscribed from it. No mail is sent. With `dry_run=true` nothing is changed, and errors and counts are what they would be without it.';
const ALL_OR_NOTHING = 'It is applied as a whole or not at all: if one entry is invalid, no tester is added.';

export const TESTER_FILES_DOCS = {
  batch: `Use it to add up to 1,000 testers from a program. ${ALL_OR_NOTHING} ${OUTCOMES}`,
  import: `Use it to add the testers of a spreadsheet: a CSV file in UTF-8 with a header line, the column \`email\` and optionally \`name\`, at most 10,000 lines and 1 MiB. ${ALL_OR_NOTHING} \`details.fields\` lists the invalid lines by number. ${OUTCOMES}`,
  export:
    'Use it to take the list of testers to another program, or to answer a request for personal data. The file can be imported again. It is streamed: if the connection breaks, it is incomplete, and must be requested again.',
} satisfies ControllerDocs;
