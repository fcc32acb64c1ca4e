import { type ControllerDocs } from '#infra/http/describe';

export const BUILD_FUNNEL_DOCS = {
  count:
    'Use it to see where testers get lost between the mail and the download. Testers who were not mailed about the build are not counted; `downloads` of the build counts all. `running` counts installed apps instead, which report themselves through an update key. Mails about a release are forgotten 30 days after another release replaced it.',
} satisfies ControllerDocs;
