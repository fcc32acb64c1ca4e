import { type OpenAPIObject } from '@nestjs/swagger';
import { type OperationDocs } from '#infra/http/describe';
import { type Operation } from './route-docs';

/** A schema of the document, or a part of one. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly example?: unknown;
}

interface MediaType {
  readonly schema?: Schema;
  example?: unknown;
  examples?: Record<string, object>;
}

type Content = Readonly<Record<string, MediaType>>;

const HAS_NO_COMPOSED_EXAMPLE = /^(text|image)\/|octet-stream|^\*/;

/**
 * Adds whole bodies as examples to the requests and successful responses of the document. Each is composed of the examples of
 * its fields, so it has every field, and the ids of all examples agree (`#infra/http/dto/example`).
 */
export class BodyExamples {
  private readonly examples: Record<string, { readonly value: unknown }> = {};

  constructor(private readonly document: OpenAPIObject) {}

  /** The examples that operations refer to, by the name of their schema. For `components.examples`. */
  get all(): Readonly<Record<string, { readonly value: unknown }>> {
    return this.examples;
  }

  add(operation: Operation, docs: OperationDocs | undefined): void {
    const request = operation.requestBody?.content ?? {};
    this.addTo(request, docs?.requests);
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!status.startsWith('2') || !('content' in response)) continue;
      this.addTo(response.content as Content, docs?.response && { response: docs.response });
    }
  }

  private addTo(content: Content, given: Readonly<Record<string, object>> | undefined): void {
    for (const [type, media] of Object.entries(content)) {
      if (!media.schema || HAS_NO_COMPOSED_EXAMPLE.test(type)) continue;
      if (given) media.examples = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, { value }]));
      else if (media.schema.$ref) media.examples = this.shared(media.schema.$ref);
      else media.example = this.compose(media.schema);
    }
  }

  private shared(ref: string): Record<string, object> {
    const name = nameOf(ref);
    this.examples[name] ??= { value: this.compose({ $ref: ref }) };
    return { [name]: { $ref: `#/components/examples/${name}` } };
  }

  private compose(schema: Schema): unknown {
    if ('example' in schema) return schema.example;
    if (schema.$ref) return this.compose(this.resolve(schema.$ref));
    const [variant] = schema.allOf ?? schema.anyOf ?? [];
    if (variant) return this.compose(variant);
    if (schema.items) return [this.compose(schema.items)];
    if (schema.enum) return schema.enum[0];
    if (schema.format === 'binary') return 'the bytes of the file';
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [name, this.compose(property)]),
    );
  }

  private resolve(ref: string): Schema {
    return this.document.components?.schemas?.[nameOf(ref)] ?? {};
  }
}

const nameOf = (ref: string): string => ref.replace('#/components/schemas/', '');
