/** Search parameters of an address. Invalid values are dropped and cause no error. */
type Given = Record<string, unknown>;

/** Keeps the named parameters that are texts. */
export const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (given: Given): { [name in Name]?: string } => {
    const kept: { [name in Name]?: string } = {};
    for (const name of names) {
      const value = given[name];
      if (typeof value === 'string' && value !== '') kept[name] = value;
      else if (typeof value === 'number') kept[name] = String(value);
    }
    return kept;
  };
