import { type ControllerDocs } from '#infra/http/describe';

export const UPDATE_PACKAGES_DOCS = {
  look: 'Use it to learn the size and type of the file before downloading it. It reserves nothing.',
  download: {
    description:
      'The address that checks and feeds name. It reserves the cost of one download and redirects to a download URL, which supports ranges; without enough credit it is `402`. Another build than the current one, and another name than that of its file, are `404` and cost nothing: updaters try names such as `.blockmap` first.',
    retry:
      'It can be repeated: a client address gets the same download URL until it has expired or is used up. A build is charged at most three times per key, client address and half hour; then the response is `429`, reason `link_downloads_reached`.',
  },
} satisfies ControllerDocs;
