import { type ControllerDocs } from '#infra/http/describe';

const STEPS =
  'Each tester of the audience is counted in the first step that applies: `has_it`, `has_newer`, `downloaded`, `bounced`, `opened`, `mailed`, `not_mailed`. `GET /testers` lists the testers of a step with `adoption`. With `adoption=has_not` it lists all who lack the build: they have neither it nor a newer one.';

export const PROJECT_ADOPTION_DOCS = {
  list: `Use it to see, for each channel and platform, which testers have the current build. The audience of a release are the subscribers of its channel, without those who chose mails about other platforms only and those whose downloads are all of other platforms: these are \`other_platforms\`. ${STEPS} In projects with many testers the numbers may be half a minute old.`,
} satisfies ControllerDocs;

export const BUILD_ADOPTION_DOCS = {
  get: `Use it to see who has one build. The audience are the testers whom its current releases concern, who were invited to it, or who downloaded it. A tester of several of its releases is counted once in the total. ${STEPS}`,
} satisfies ControllerDocs;
