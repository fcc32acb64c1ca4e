import { type PatScope, type ProjectRole } from '#kernel/access/roles';
import { type ErrorCode } from '#kernel/errors/catalogue';
import { type InProcessRequest, type InProcessResponse } from '#infra/http/server/in-process-requests';

/** The response of `GET /credential` for a token. */
export interface TokenCredential {
  readonly kind: 'personal_access_token' | 'project_access_token';
  readonly id: string;
  readonly developer: { readonly id: string } | null;
  readonly organization: { readonly id: string };
  readonly project: { readonly id: string } | null;
  readonly role: ProjectRole | null;
  readonly scopes: readonly PatScope[] | null;
  readonly [field: string]: unknown;
}

/** An error envelope of the API. */
export interface ApiErrorBody {
  readonly error: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The API rejected a request. */
export class ApiError extends Error {
  constructor(readonly body: ApiErrorBody) {
    super(body.message);
    this.name = 'ApiError';
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Sends one request to the API with the credential of the agent. */
export type SendToApi = (
  request: Pick<InProcessRequest, 'method' | 'path' | 'body'> & { readonly key?: string },
) => Promise<InProcessResponse>;

/** The API as the token of an agent may use it. Tools reach nothing else. */
export class AgentApi {
  constructor(
    private readonly send: SendToApi,
    readonly credential: TokenCredential,
    /** The public URL of the service. */
    readonly baseUrl: string,
  ) {}

  get organizationId(): string {
    return this.credential.organization.id;
  }

  /** The project of a project access token. Undefined for a personal access token. */
  get ownProjectId(): string | undefined {
    return this.credential.project?.id;
  }

  /**
   * The organization and project of a request.
   * @throws ApiError validation_error when a personal access token names no project.
   */
  scopeOf({ project_id: named }: { readonly project_id?: string | undefined }): {
    organization_id: string;
    project_id: string;
  } {
    const projectId = named ?? this.ownProjectId;
    if (projectId === undefined)
      throw validationError('project_id', 'is required with a personal access token. list_projects returns the ids');
    return { organization_id: this.organizationId, project_id: projectId };
  }

  get<T = Readonly<Record<string, unknown>>>(path: string, query: Query = {}): Promise<T> {
    return this.request<T>('GET', path, query);
  }

  /** @param key idempotency key. A response that is replayed means that the key was used before. */
  async request<T>(
    method: InProcessRequest['method'],
    path: string,
    query: Query,
    more: { readonly body?: unknown; readonly key?: string } = {},
  ): Promise<T> {
    const sent = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = sent.length > 0 ? `?${new URLSearchParams(sent).toString()}` : '';
    const { status, headers, body } = await this.send({ method, path: `/api/v1${path}${search}`, ...more });
    if (status >= 400) throw new ApiError(body as ApiErrorBody);
    if (headers['idempotency-replayed'] === 'true') throw confirmationError('used');
    return body as T;
  }
}

export const validationError = (field: string, message: string): ApiError =>
  new ApiError({
    error: 'validation_error',
    message: 'The arguments do not match the schema of this tool. Correct the fields that details.fields lists.',
    details: { fields: [{ field, messages: [message] }] },
  });

const CONFIRMATION_FAULTS = {
  invalid: {
    details: { reason: 'confirmation_invalid' },
    message: 'This is not a confirmation of this service. Call the tool without `confirmation` first.',
  },
  expired: {
    details: { reason: 'confirmation_expired' },
    message: 'The confirmation is older than five minutes. Call the tool without `confirmation` again.',
  },
  mismatch: {
    details: { reason: 'confirmation_mismatch' },
    message:
      'The confirmation belongs to other arguments or another token. Call the tool without `confirmation` again.',
  },
  used: {
    details: { reason: 'confirmation_used' },
    message: 'The confirmation was used before. Call the tool without `confirmation` to do it again.',
  },
  declined: {
    details: { reason: 'confirmation_declined' },
    message: 'The person declined. Do not try again unless they ask for it.',
  },
} as const;

export function confirmationError(fault: keyof typeof CONFIRMATION_FAULTS): ApiError {
  return new ApiError({ error: 'operation_not_allowed', ...CONFIRMATION_FAULTS[fault] });
}
