/** A credential that `agate login` has stored for a service. */
export interface StoredLogin {
  readonly url: string;
  readonly token: string;
}

/** Finds the stored credential of a service, or the only one when `url` is undefined. Null when there is none. */
export type FindStoredLogin = (url: string | undefined) => Promise<StoredLogin | null>;

export const findStoredLogin: FindStoredLogin = () => Promise.resolve(null);
