import { type INestApplication } from '@nestjs/common';
import { type ErrorObject } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { openApiDocument } from '#app/openapi/openapi-document';

export interface Schema {
  readonly $ref?: string;
  readonly [keyword: string]: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & Schema>>;
}

/** An operation of the document, with its location. */
export interface OperationAt {
  readonly method: string;
  /** For example `/api/v1/builds/{build_id}`. */
  readonly path: string;
  readonly pointer: string;
  readonly operation: Operation;
}

/** A response, independent of the client that received it. */
export interface ObservedResponse {
  readonly method: string;
  /** With or without the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

/** A validator with all formats that the document uses. */
export const schemaValidator = (): Ajv2020 =>
  addFormats(new Ajv2020({ strict: false })).addFormat('idn-email', /^[^\s@]+@[^\s@]+$/u);

/** Compares responses with the OpenAPI document of the running application. */
export class OpenApiConformance {
  readonly operations: readonly OperationAt[];
  private readonly document: { readonly paths: Record<string, Record<string, Operation>> };
  private readonly ajv: Ajv2020;

  constructor(app: INestApplication) {
    this.document = JSON.parse(JSON.stringify(openApiDocument(app))) as typeof this.document;
    this.ajv = schemaValidator().addSchema(this.document, 'agate');
    this.operations = Object.entries(this.document.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => ({
        method: method.toUpperCase(),
        path,
        pointer: `/paths/${escape(path)}/${method}`,
        operation: item[method]!,
      })),
    );
  }

  /** Resolves a `$ref` of the document. */
  resolve<T extends Schema>(node: T): T {
    if (node.$ref === undefined) return node;
    return this.resolve(this.at(node.$ref.slice(1)) as T);
  }

  /** Returns the operation that matches a request: the one with the fewest path parameters. */
  operationOf(method: string, path: string): OperationAt | undefined {
    const bare = path.split('?')[0] ?? '';
    const fits = ({ path: template }: OperationAt): boolean =>
      new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(bare);
    const parameters = ({ path: template }: OperationAt): number => template.split('{').length;
    return this.operations
      .filter((each) => each.method === method && fits(each))
      .sort((a, b) => parameters(a) - parameters(b))[0];
  }

  /** Returns the differences between a response and the document. */
  problemsOf(response: ObservedResponse): string[] {
    const at = this.operationOf(response.method, response.path);
    if (!at) return [`${response.method} ${response.path} is not in the document`];
    const name = `${at.operation.operationId} ${response.status}`;
    if (!at.operation.responses[response.status]) return [`${name} is not documented: ${response.text.slice(0, 300)}`];
    // Express adds a body for browsers that do not follow redirects (RFC 9110, section 15.4).
    if (response.status === 302) return [];
    return this.bodyProblems(name, `${at.pointer}/responses/${response.status}`, response);
  }

  private bodyProblems(name: string, pointer: string, response: ObservedResponse): string[] {
    const { method, contentType, text } = response;
    const declared = this.at(pointer) as Content & Schema;
    const place = declared.$ref?.slice(1) ?? pointer;
    const content = this.resolve(declared).content;
    if (!content) return text === '' ? [] : [`${name} has a body, the document none`];
    const type = (contentType ?? '').split(';')[0]!.trim();
    if (!content[type] && !content[type.replace(/\/.*/, '/*')] && !content['*/*'])
      return [`${name} is of type "${type}", documented is ${Object.keys(content).join(', ')}`];
    if (method === 'HEAD') return text === '' ? [] : [`${name} has a body`];
    if (type !== 'application/json' || !content[type]) return [];
    const validate = this.ajv.getSchema(`agate#${encodeURI(`${place}/content/${escape(type)}/schema`)}`)!;
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map((error: ErrorObject) => `${name} ${error.instancePath} ${error.message}`);
  }

  private at(pointer: string): unknown {
    return pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)[unescape(key)], this.document);
  }
}

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescape = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');
