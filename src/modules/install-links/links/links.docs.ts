import { type ControllerDocs } from '#infra/http/describe';

export const LINKS_DOCS = {
  list: 'Use it to show the links of a build (`build_id`) or of a channel (`channel_id`) with their rules and the number of downloads. The default link is one of them. Personal links in mails to testers are not.',
  create:
    'Use it to give a build or channel to one more audience, with its own rules and counts: a customer, an event, a store reviewer. The link works immediately and until it is deleted, unless it has rules. A build or channel can have 100 links.',
  get: 'Use it to show one link with its rules.',
  update:
    'Use it to rename a link or to change its rules, also those of the default link. Absent fields stay as they are, `null` removes a rule. A change of a rule ends all present visits: visitors begin again at the page of the link. Downloads that have begun are completed. The access `password` needs a password, in the request or an earlier one; another access forgets it.',
  rotate:
    'Use it when an address was given to the wrong people. The old address and the download URLs that were minted through it stop working immediately; name, rules and counts stay. The links in mails that were sent to testers keep working. `rotate-link` of a build or channel rotates its default link.',
  grant: {
    description:
      'Use it to open a link of any access without its password, on the phone of a member: show the address as a QR code. This is how members open a link with the access `members`, whose terms they accept then; the terms of other links are not asked of them. The address works for half an hour. A link that has expired or reached its maximum of downloads is `400 operation_not_allowed`, reason `link_ended`.',
    retry: 'It can be repeated: each response has another address, and all work.',
  },
  delete:
    'Use it when an audience has no business with the build any longer. The address and the download URLs that were minted through it stop working immediately; the acceptances of its terms stay in the export. A default link is `400 operation_not_allowed`, reason `default_link`: rotate it, or give it rules.',
} satisfies ControllerDocs;
