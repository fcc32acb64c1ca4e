/**
 * The values that the examples of the OpenAPI document share, so that they read as one story: Ann has an organization and a
 * project, invites Bob, uploads a build from CI, and promotes it to the channel that Tess is subscribed to. Whole bodies are
 * composed of the examples of their fields (docs/decisions/0039-descriptions-and-examples-of-the-api.md).
 */
export const EXAMPLE = {
  ids: {
    /** Ann, who sends the requests. */
    developer: '01a19b88-445b-788f-a0d7-59f845b47c04',
    organization: '01a19b8f-09fe-7af3-a1bb-312bf8430055',
    project: '01a19b93-16d8-7244-a10e-48437b655698',
    'project access token': '01a19b99-3a88-75ea-b203-dcfaa5ea8857',
    'personal access token': '01a19ba2-24fb-7c50-88ec-1e7edb5a2484',
    invitation: '01a1a06e-3578-7a30-93c0-82c75edc9135',
    /** Bob, another member of the organization. */
    member: '01a1a07a-7bcb-7e31-ab64-3c44f7a0ec82',
    channel: '01a1a0de-927a-769e-b656-8cd8b4659389',
    'update key': '01a1a0df-1c0e-7d52-a7f4-90b3e6c1d2a8',
    'install link': '01a1a0de-927c-7c11-8f0e-52a6c2d91b3f',
    link: '01a1a0df-3a5e-7c21-9d05-71e4b2c8a6f0',
    /** Tess. */
    tester: '01a1a0e4-6b8d-79bb-a5c5-3a0545e0c801',
    /** Tess' iPhone. */
    device: '01a1a0e9-2f4c-7d1e-9b37-6c1f0a85d2e4',
    'top-up': '01a1ac02-82fe-7faf-97e6-489179e32219',
    session: '01a1fa1c-4a40-7f52-9b1d-3c6e8a0f2d47',
    upload: '01a1fa1e-9bd0-7ff4-885a-d157354dc8ea',
    'data export': '01a1fa1f-1c58-7b0e-9d41-6a0c2f6e8b35',
    build: '01a1fa20-409b-7445-b5cf-5b28512d7564',
    attachment: '01a1fa20-4f2c-7a19-b3d5-6c1e0d9a7f24',
    webhook: '01a1fa21-0d7e-7c3a-8b52-9e4f6d1c2a07',
    'webhook delivery': '01a1fa21-5b90-7e14-a6c8-3d2b7f0e9c51',
    'audit event': '01a1fa20-40a2-715d-9472-b87d399ebdbc',
    release: '01a1fa22-81b5-7a4d-851e-c23463726f72',
    download: '01a1fa25-f63a-768f-b63f-b82e0e5dfec2',
    'ledger entry': '01a1fa26-3793-761b-b124-f3553d93de67',
    statement: '01a22ee6-c1a0-7b11-9c6e-1d318f203063',
    /** The id that an installed app generated for itself. */
    install: '7f9c4e52-63b1-4d0a-9f0e-2b8a1c3d5e6f',
    request: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10',
  },
  fileName: 'Demo.ipa',
  fileBytes: 24_117_248,
  sha256: '0a9c0c235819e5bdd611b4ac0f196947223a9c80d4da84c8413c2a526ec83bbe',
  commit: '9fceb02',
  buildLink: 'https://install.example.com/install/kq0YyXh2Vw8sN4bR7tLmPc',
  icon: 'https://agate.example.com/icons/Aazs3qYyXh2Vw8sN4bR7tLmPcK0d9e',
  updateKey: 'ag_upd_3hQ7mZpXc0kTnVb5RwYs8LdUa2EfJg6HiKoMrNqPtB1CxvW9z4',
  channelLink: 'https://install.example.com/install/Zt5cQe9JdU1gWx3nFvKo6A',
} as const;

/** The resource that an example id identifies. */
export type ExampleKind = keyof typeof EXAMPLE.ids;

/** The kind of the resource that a parameter such as `build_id` identifies. Undefined for other names. */
export function exampleKindOf(parameter: string): ExampleKind | undefined {
  const kind = parameter.replace(/_id$/, '').replaceAll('_', ' ');
  return parameter.endsWith('_id') && Object.hasOwn(EXAMPLE.ids, kind) ? (kind as ExampleKind) : undefined;
}
