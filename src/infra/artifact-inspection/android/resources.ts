/** The text of a resource in one configuration. */
export interface ResourceText {
  readonly text: string;
  /** Dots per inch. 0 means default, 0xfffe any density, 0xffff no density. */
  readonly density: number;
  /** Whether the configuration applies to every language. */
  readonly anyLocale: boolean;
}

/** The values of a resource in all configurations. */
export interface ResourceValues {
  readonly texts: readonly ResourceText[];
  /** Integers, and booleans as 0 or another number. */
  readonly numbers: readonly number[];
}

/** The resources of an app. */
export interface Resources {
  /** Follows references, and visits each id once, so cycles end. Empty when there is no such resource. */
  valuesOf(id: number): ResourceValues;
}

/** Maximum number of resources on the way from a reference to its values. */
const REFERENCE_STEPS = 32;

/**
 * Collects the values of a resource and of the resources that it refers to.
 * @param visit adds the values of one resource, and returns the ids that it refers to.
 */
export function followReferences(
  id: number,
  visit: (id: number, found: { texts: ResourceText[]; numbers: number[] }) => readonly number[],
): ResourceValues {
  const found = { texts: [], numbers: [] };
  const waiting = [id];
  const seen = new Set(waiting);
  for (let steps = 0; steps < REFERENCE_STEPS && waiting.length > 0; steps += 1) {
    for (const next of visit(waiting.shift() as number, found)) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return found;
}
