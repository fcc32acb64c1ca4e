import { Client } from '@agate/client';
import { refresh } from './refresh';
import { waitForTurn } from './wait-for-turn';

type Listener = () => void;
const listeners = new Set<Listener>();

/** Calls the listener when the service has ended the session of this tab. Returns the function that removes it. */
export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let hadSession = false;

/** Stores whether this tab has a session, so that its end is an event and not the normal state of a visitor. */
export function noteSession(exists: boolean): void {
  hadSession = exists;
}

/** Whether a 401 of the address does not concern the session: a rejected login or refresh. */
const isLogin = (address: string): boolean =>
  address.includes('/api/v1/login/') && !address.includes('/api/v1/login/device');

/** Calls the listeners, once, when the service has ended the session of this tab. */
export function sessionEnded(): void {
  if (!hadSession) return;
  hadSession = false;
  for (const listener of listeners) listener();
}

let held: Promise<unknown> = Promise.resolve();

/** Requests that begin from now on wait, but for the one that ends the session. Returns the function that sends them. */
export function holdRequests(): () => void {
  let send: () => void = () => undefined;
  held = new Promise<void>((resolve) => (send = resolve));
  return send;
}

/** Resolves when requests may be sent. */
export const maySend = (): Promise<unknown> => held;

/** Sends a request with the session's cookies. After a 401 it renews them and sends the request once more. */
async function sessionFetch(address: string, init?: RequestInit): Promise<Response> {
  if (!address.endsWith('/login/logout')) await maySend();
  const response = await fetch(address, init);
  if (response.status !== 401 || !hadSession || isLogin(address)) return response;
  await refresh().catch(() => false);
  // Sent again even after a failed refresh: another tab may have renewed the cookies a moment before.
  const repeated = await fetch(address, init);
  if (repeated.status === 401) sessionEnded();
  return repeated;
}

/** The API with the session of this browser. Scripts never hold a token. */
export const api = new Client({
  fetch: (address, init) => waitForTurn(() => sessionFetch(address as string, init), init),
});

/** The API for a task of many requests, such as an export: it waits until the limit of the minute allows its next request. */
export const patientApi = new Client({
  fetch: (address, init) => waitForTurn(() => sessionFetch(address as string, init), init, 60),
});
