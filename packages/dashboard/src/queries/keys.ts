type OfOrganization<Rest extends unknown[] = []> = [organizationId: string, ...Rest];
type OfProject<Rest extends unknown[] = []> = [projectId: string, ...Rest];
type OfBuild<Rest extends unknown[] = []> = [buildId: string, ...Rest];

/** The name of each query of the dashboard, and what follows it in the key. */
interface Keys {
  captcha: [];
  service: [];
  session: [];
  sessions: [];
  'device-login': [code: string];
  'last-admin': [developerId: string, organizationIds: readonly string[]];
  'own-export': [];
  'own-invitations': [];
  'invitation-preview': [token: string];

  audit: OfOrganization<[filters: object]>;
  'audit-facets': OfOrganization<[day: string]>;
  billing: OfOrganization;
  branding: OfOrganization;
  'identified-token': OfOrganization<[last4: string]>;
  invitations: OfOrganization;
  ledger: OfOrganization;
  members: OfOrganization<[of?: 'choices']>;
  'open-invitations': OfOrganization;
  'organization-export': OfOrganization;
  'organization-quotas': OfOrganization;
  'organization-tokens': OfOrganization<[filters: object]>;
  'own-storage': OfOrganization;
  'personal-tokens': OfOrganization;
  projects: OfOrganization<[q: string]>;
  search: OfOrganization<[q: string]>;
  statements: OfOrganization;
  'top-ups': OfOrganization;
  usage: OfOrganization<[month: string]>;
  webhook: OfOrganization<[webhookId: string]>;
  'webhook-deliveries': OfOrganization<[webhookId: string, state: string]>;
  'webhook-delivery': OfOrganization<[deliveryId: string]>;
  webhooks: OfOrganization<[projectId: string]>;

  adoption: OfProject;
  'build-facets': OfProject;
  builds: OfProject<[filters: object]>;
  channels: OfProject;
  devices: OfProject<[filters: object]>;
  'deletion-events': OfProject;
  'deletion-preview': OfProject<[filter: object]>;
  'downloads-daily': OfProject<[filters: object]>;
  'invitation-builds': OfProject;
  'min-supported-versions': OfProject;
  'newest-build': OfProject;
  project: OfProject;
  'project-members': OfProject;
  'project-quotas': OfProject;
  'project-summary': OfProject;
  'project-tokens': OfProject;
  retention: OfProject;
  'retention-preview': OfProject<[rules: object]>;
  testers: OfProject<[filters: object]>;
  trash: OfProject<[buildId?: string]>;
  'update-keys': OfProject<[channelId: string | null]>;

  attachments: OfBuild;
  build: OfBuild;
  'build-adoption': OfBuild;
  'build-before': OfBuild;
  'build-devices': OfBuild;
  'build-downloads': OfBuild;
  diff: OfBuild<[against: string]>;
  funnel: OfBuild;
  recipients: OfBuild<[channelId: string]>;
  'update-signature': OfBuild;

  channel: [channelId: string];
  links: [buildOrChannelId: string];
  'link-grant': [linkId: string];
  releases: [channelOrProjectId: string, platform?: string, limit?: number];
  subscribers: [channelId: string, limit: number];
  tester: [testerId: string];
  'tester-downloads': [testerId: string];
}

export type QueryName = keyof Keys;

/** The key of a query. With fewer parts it concerns all queries whose keys begin with them. */
export const keyOf = <Name extends QueryName>(name: Name, ...rest: Partial<Keys[Name]>) => [name, ...rest] as const;
