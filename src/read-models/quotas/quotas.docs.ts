import { type ControllerDocs } from '#infra/http/describe';

export const ORGANIZATION_QUOTAS_DOCS = {
  list: 'Use it to show how many projects and members the organization may still have, and how many bytes its open uploads may still hold. A request above a limit is `400 quota_exceeded`, with the same name in `details.quota`.',
} satisfies ControllerDocs;

export const PROJECT_QUOTAS_DOCS = {
  list: 'Use it to show how many channels, testers, project access tokens and open uploads the project may still have. A request above a limit is `400 quota_exceeded`, with the same name in `details.quota`.',
} satisfies ControllerDocs;
