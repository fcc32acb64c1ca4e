import { type ControllerDocs } from '#infra/http/describe';

export const DOWNLOAD_LOG_DOCS = {
  list: 'Use it to see who downloaded a build: when, on which kind of device, through which link, and whether all bytes arrived. A download is logged from its first `GET`. Retries and ranges with one download URL are one download. Because it is about people, it needs `MANAGE_TESTERS`; the counts on the build do not.',
  export: {
    description: 'Use it to evaluate the downloads of a build in a spreadsheet. It has the same rows as the list.',
    retry:
      'It changes nothing, so it can be repeated at any time. It is streamed: if the connection breaks, the file is incomplete.',
  },
} satisfies ControllerDocs;
