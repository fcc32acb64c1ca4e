import { ApiError, toApiError } from './api-error';
import { type Routes } from './generated';
import { malformedField } from './response-form';

export type Route = keyof Routes;

type Given<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [name in Name]?: undefined }
  : object extends Value
    ? { readonly [name in Name]?: Value }
    : { readonly [name in Name]: Value };

/** The parameters of a route's request. The compiler demands exactly those that the OpenAPI document requires. */
export type RequestOf<R extends Route> = Given<'path', Routes[R]['path']> &
  Given<'query', Routes[R]['query']> &
  Given<'body', Routes[R]['body']> & {
    readonly signal?: AbortSignal;
    readonly headers?: Readonly<Record<string, string>>;
  };

export type ResponseOf<R extends Route> = Routes[R]['response'];

export interface ClientOptions {
  /** Address of the service, without `/api/v1`. Default: the origin of the page. */
  readonly baseUrl?: string;
  /** Headers of every request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

/** A typed client of the API. */
export class Client {
  constructor(private readonly options: ClientOptions = {}) {}

  /**
   * Sends one request.
   * @throws ApiError for every response of status 400 or above, when there is no response, and when ids or times in it are malformed.
   */
  async request<R extends Route>(
    route: R,
    ...[request]: object extends RequestOf<R> ? [request?: RequestOf<R>] : [request: RequestOf<R>]
  ): Promise<ResponseOf<R>> {
    const { path, query, body, headers, signal } = (request ?? {}) as RequestOf<Route>;
    const [method = 'GET', template = ''] = route.split(' ');
    const isJson = typeof body === 'object' && !(body instanceof FormData) && !(body instanceof Blob);
    const response = await this.send(`${addressOf(template, path)}${queryOf(query)}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...this.options.headers,
        ...(isJson && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>) }),
      ...(signal && { signal }),
    });
    // A response can break off after its head has arrived.
    const content: unknown = await bodyOf(response).catch(lostUnlessAborted(signal));
    const malformed = malformedField(content);
    if (malformed === null) return content as ResponseOf<R>;
    throw new ApiError(
      response.status,
      'malformed_response',
      `The response is not one of this API: "${malformed}" is malformed. Check the address of the service.`,
    );
  }

  private async send(address: string, init: RequestInit): Promise<Response> {
    const request = this.options.fetch ?? fetch;
    const lost = lostUnlessAborted(init.signal);
    const response = await request(`${this.options.baseUrl ?? ''}/api/v1${address}`, init).catch(lost);
    if (response.ok) return response;
    throw await toApiError(response);
  }
}

/** Turns an error without a response into an ApiError. @throws the error itself when the signal has aborted. */
const lostUnlessAborted =
  (signal?: AbortSignal | null) =>
  (error: unknown): never => {
    if (signal?.aborted) throw error;
    const failure = new ApiError(0, 'network_error', 'The service cannot be reached. Check the network connection.');
    failure.cause = error;
    throw failure;
  };

const addressOf = (template: string, path?: object): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((path as Record<string, unknown> | undefined)?.[name])),
  );

function queryOf(query?: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  return parameters.size > 0 ? `?${parameters}` : '';
}

function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return Promise.resolve(undefined);
  return response.headers.get('Content-Type')?.startsWith('application/json') ? response.json() : response.text();
}
