import { type NestExpressApplication } from '@nestjs/platform-express';
import { type RequestHandler, type Response as ExpressResponse, type Router } from 'express';
import { PAT_SCOPES } from '#kernel/access/roles';
import { Clock } from '#kernel/context/clock';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig, RuntimeConfig } from '#infra/config/config';
import { Sealer } from '#infra/crypto/sealer';
import { toAppError } from '#infra/http/errors/error-filter';
import { ErrorPresenter } from '#infra/http/errors/error-presenter';
import { type AppRequest } from '#infra/http/request/app-request';
import { bodyParser } from '#infra/http/request/body-parsers';
import { disconnectionOf } from '#infra/http/response/disconnection';
import { requestInProcess } from '#infra/http/server/in-process-requests';
import { Logger } from '#infra/logging/logger';
import { RateLimiter } from '#infra/rate-limit/rate-limiter';
import { limitedOn } from '../limited-handlers';
import { AgentApi, ApiError, type ApiErrorBody, type SendToApi, type TokenCredential } from './agent-api';
import { clientNameOf } from './client-name';
import { type McpEndpoint } from './mcp-endpoint';

const PATH = '/mcp';
const METADATA_PATH = `/.well-known/oauth-protected-resource${PATH}`;

/** Maximum size of a message. Files never pass through here. */
const MAX_BODY_BYTES = 1024 * 1024;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Serves the MCP server for agents at `/mcp` (docs/agents.md). It sends requests to the API with the token of the agent, so it can do
 * nothing that the token may not do.
 */
export function serveMcp(app: NestExpressApplication, router: Router): void {
  const { mcp, baseUrl } = app.get(HttpConfig);
  if (mcp === 'off' || app.get(RuntimeConfig).role === 'worker') return;
  const metadata = metadataOf(baseUrl);
  router.get(
    METADATA_PATH,
    limitedOn(app, 'Mcp')('docs', (_request, response) => void response.json(metadata)),
  );
  router.all(PATH, new McpRoute(app).handler);
}

/** The metadata of the protected resource (RFC 9728). Tokens are created in the dashboard, so there is no authorization server. */
const metadataOf = (baseUrl: string): object => ({
  resource: baseUrl + PATH,
  resource_name: 'Agate',
  resource_documentation: `${baseUrl}/help/agents`,
  bearer_methods_supported: ['header'],
  scopes_supported: PAT_SCOPES,
});

class McpRoute {
  private readonly config: HttpConfig;
  private readonly limiter: RateLimiter;
  private readonly presenter: ErrorPresenter;
  private readonly logger: Logger;
  private readonly parse = bodyParser([{ method: 'POST', pattern: PATH, bodyLimit: { maxBytes: MAX_BODY_BYTES } }]);
  private endpoint: McpEndpoint | undefined;

  constructor(private readonly app: NestExpressApplication) {
    this.config = app.get(HttpConfig);
    this.limiter = app.get(RateLimiter);
    this.presenter = app.get(ErrorPresenter);
    this.logger = app.get(Logger);
  }

  readonly handler: RequestHandler = async (request, response) => {
    try {
      await this.handle(request as unknown as AppRequest, response);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.entry.level === 'error') this.logger.error({ err: thrown }, 'request failed');
      if (error.entry.status === 401)
        response.setHeader('WWW-Authenticate', this.challenge(request.headers.authorization));
      this.presenter.present(error, request as unknown as AppRequest, response);
    }
  };

  private async handle(request: AppRequest, response: ExpressResponse): Promise<void> {
    this.rejectForeignSites(request);
    if (request.method !== 'POST') return methodNotAllowed(response);
    const credential = await this.credentialOf(request, response);
    if (credential === null) return;
    await this.limiter.count('mcp', this.limiter.forAccount('mcp', `mcp|${accountOf(credential)}`), response);
    const body = await this.bodyOf(request, response);
    const clientName = clientNameOf(body, request.headers['user-agent']);
    const send = this.senderFor(request, clientName, disconnectionOf(response, disconnected));
    const api = new AgentApi(send, credential, this.config.baseUrl);
    const toolsets = request.get('x-agate-toolsets');
    await sendResponse(response, await this.loaded().handle(webRequestOf(request), body, api, toolsets));
  }

  /** Pages of other sites, also under a name that they made resolve to this service, may not use it (DNS rebinding). */
  private rejectForeignSites({ headers: { origin }, hostname }: AppRequest): void {
    const own = new URL(this.config.baseUrl);
    const isOwnHost = [own.hostname, ...LOOPBACK].includes(hostname.toLowerCase());
    if (isOwnHost && (origin === undefined || origin === own.origin)) return;
    const message = 'The Host or Origin of the request is not the one of this service. Use the URL in BASE_URL.';
    throw new AppError('permission_denied', { message });
  }

  /** The token of the request. Null when the API rejected it, and its response was sent. @throws AppError unauthorized */
  private async credentialOf(request: AppRequest, response: ExpressResponse): Promise<TokenCredential | null> {
    if (!/^Bearer ag_/i.test(request.headers.authorization ?? '')) {
      // Other requests are counted by the API.
      const counters = this.limiter.forAddress('address', 'address', request.context.sourceIp);
      await this.limiter.count('address', counters, response);
      throw new AppError('unauthorized');
    }
    const answer = await this.senderFor(request, null)({ method: 'GET', path: '/api/v1/credential' });
    if (answer.status === 200) return answer.body as TokenCredential;
    if (answer.status === 401) {
      const { message, details } = answer.body as ApiErrorBody;
      throw new AppError('unauthorized', { message, details });
    }
    const retryAfter = answer.headers['retry-after'];
    if (typeof retryAfter === 'string') response.setHeader('Retry-After', retryAfter);
    response.status(answer.status).json(answer.body);
    return null;
  }

  /**
   * Sends requests of the agent to the API. Cookies are not passed on.
   * @param signal ends requests that read. A request that changes something is completed.
   */
  private senderFor({ context, headers }: AppRequest, clientName: string | null, signal?: AbortSignal): SendToApi {
    const server = this.app.getHttpServer();
    const caller = { sourceIp: context.sourceIp, client: { kind: 'mcp', name: clientName } as const };
    const common = { Authorization: headers.authorization ?? '', 'X-Request-Id': context.requestId };
    return ({ key, ...request }) =>
      requestInProcess(server, caller, {
        ...request,
        headers: { ...common, ...(key && { 'Idempotency-Key': key }) },
        ...(signal && request.method === 'GET' && { signal }),
      });
  }

  /** The message. @throws the parser's error, AppError validation_error */
  private async bodyOf(request: AppRequest, response: ExpressResponse): Promise<object> {
    await new Promise<void>((resolve) => void this.parse(request, response, () => resolve()));
    await request.parseBody?.();
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the parser's own error, which toAppError maps
    if (request.bodyError) throw request.bodyError;
    const body: unknown = request.body;
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
    throw AppError.validation([{ field: '', messages: ['send one JSON-RPC message as application/json'] }]);
  }

  /** Loads the library with the first message, so that a start does not wait for it. */
  private loaded(): McpEndpoint {
    if (this.endpoint) return this.endpoint;
    // eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports -- an import would always load the library
    const { McpEndpoint } = require('./mcp-endpoint') as typeof import('./mcp-endpoint');
    const [sealer, clock] = [this.app.get(Sealer), this.app.get(Clock)];
    this.endpoint = new McpEndpoint({ sealer, clock, logger: this.logger });
    return this.endpoint;
  }

  /** The challenge of RFC 6750 with the address of the metadata (RFC 9728). */
  private challenge(sent: string | undefined): string {
    const invalid = sent === undefined ? [] : ['error="invalid_token"'];
    const metadata = `resource_metadata="${this.config.baseUrl}${METADATA_PATH}"`;
    return `Bearer ${['realm="agate"', ...invalid, metadata].join(', ')}`;
  }
}

const disconnected = (): ApiError =>
  new ApiError({ error: 'operation_not_allowed', message: 'The agent disconnected.', details: {} });

/** Rate limits are counted by developer or project, so that several tokens do not raise the limit. */
const accountOf = ({ developer, project, id }: TokenCredential): string =>
  developer ? `developer:${developer.id}` : `project:${project?.id ?? id}`;

/** Clients open a stream of the server with GET, and end a session with DELETE. There are neither. */
function methodNotAllowed(response: ExpressResponse): void {
  const error = { code: -32_000, message: 'Method not allowed.' };
  response.status(405).setHeader('Allow', 'POST').json({ jsonrpc: '2.0', error, id: null });
}

/** The request with the headers of the protocol. Its body was parsed before. */
function webRequestOf({ headers }: AppRequest): Request {
  const names = Object.entries(headers).filter(([name]) => /^(accept|content-type|mcp-(?!session-id).*)$/.test(name));
  const sent = names.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []));
  return new Request(`http://localhost${PATH}`, { method: 'POST', headers: sent });
}

async function sendResponse(response: ExpressResponse, answer: Response): Promise<void> {
  response.status(answer.status);
  const type = answer.headers.get('content-type');
  if (type !== null) response.setHeader('Content-Type', type);
  response.end(await answer.text());
}
