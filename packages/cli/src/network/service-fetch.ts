import { type Context } from '../context';

/** `fetch` for requests to the API. */
export const serviceFetch = (_context: Context): typeof fetch => fetch;
