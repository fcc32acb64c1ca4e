import { type RequestContext } from '#kernel/context/request-context';

/**
 * Lets upper modules take part in an operation of a lower module, which does not know them: the lower module owns the hook
 * and runs it; an upper module adds a handler in `onModuleInit`.
 */
export class Hook<Input extends unknown[], Result = void> {
  private readonly handlers: ((...input: Input) => Promise<Result>)[] = [];

  add(handler: (...input: Input) => Promise<Result>): void {
    this.handlers.push(handler);
  }

  /** Runs the handlers one by one, in the order in which they were added, and returns their results. @throws the first error. */
  async run(...input: Input): Promise<Result[]> {
    const results: Result[] = [];
    for (const handler of this.handlers) results.push(await handler(...input));
    return results;
  }
}

type Reader<Scope, Fields> = (
  ctx: RequestContext,
  scope: Scope,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Partial<Fields>>>;

/**
 * Fields that upper modules add to the responses of a lower module. The lower module owns the instance and reads the fields of all items of
 * a page at once; an upper module adds a reader in `onModuleInit`, which needs a fixed number of statements
 * (docs/decisions/0042-fields-from-upper-modules.md).
 */
export class AddedFields<Scope, Fields extends object> {
  private readonly readers = new Hook<
    [RequestContext, Scope, readonly string[]],
    ReadonlyMap<string, Partial<Fields>>
  >();

  /** @param defaults the values of the fields that no reader returns for an item. */
  constructor(private readonly defaults: Fields) {}

  /** @param reader returns fields by the id of their item. It may omit items and fields. */
  add(reader: Reader<Scope, Fields>): void {
    this.readers.add(reader);
  }

  /** Reads the fields of the items. @returns the fields of one item by its id. */
  async read(ctx: RequestContext, scope: Scope, ids: readonly string[]): Promise<(id: string) => Fields> {
    const found = ids.length === 0 ? [] : await this.readers.run(ctx, scope, ids);
    return (id) => Object.assign({}, this.defaults, ...found.map((fields) => fields.get(id))) as Fields;
  }
}
