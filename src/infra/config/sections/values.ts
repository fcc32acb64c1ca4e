/** Options of `IsUrl` for a URL that may name this machine or a private network. */
export const LOCAL_URL = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/** Reads a list that is separated by commas. */
export const list = ({ value }: { value: unknown }): string[] =>
  typeof value === 'string' && value !== '' ? value.split(',').map((part) => part.trim()) : [];

/** Reads `true` and `false`. Other values stay, and fail the validation. */
export const flag = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;
