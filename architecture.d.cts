/** Each module with the modules it may use. */
export const modules: Readonly<Record<string, readonly string[]>>;
/** Ranks the modules; throws on a cycle or an unknown name. */
export function ranks(): ReadonlyMap<string, number>;
