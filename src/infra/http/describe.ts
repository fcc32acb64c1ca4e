/** The documentation of an operation that its declarations do not contain. */
export interface OperationDocs {
  /** When to use the operation, and what it changes. Markdown, complete sentences. */
  readonly description: string;
  /** The sentence about retries. Default: derived from the method and `@Idempotent`. */
  readonly retry?: string;
  /** Example bodies of the request by name. Default: one, composed of the examples of the fields. */
  readonly requests?: Readonly<Record<string, object>>;
  /** Example body of the successful response. Default: composed of the examples of the fields. */
  readonly response?: object;
  /** The effect of the successful response on the cookies of a browser session. A login also sets the cookie of the device. */
  readonly cookies?: 'login' | 'set' | 'cleared';
}

/** The documentation of a controller's operations, by method name. */
export type ControllerDocs = Readonly<Record<string, string | OperationDocs>>;

export const DOCS_KEY = 'agate:docs';

/**
 * Attaches the descriptions of a controller's operations. They are in a file of their own (the module's `x.docs.ts`), so that the
 * controller stays readable. A key that is not a public method of the controller does not compile.
 */
export const Describe =
  <D extends ControllerDocs>(docs: D) =>
  (controller: { readonly prototype: Readonly<Record<keyof D, unknown>> }): void => {
    for (const [method, text] of Object.entries(docs)) {
      const operation: OperationDocs = typeof text === 'string' ? { description: text } : text;
      Reflect.defineMetadata(DOCS_KEY, operation, controller.prototype[method] as object);
    }
  };
