import { hostname } from 'node:os';

/** How long tokens are valid that a login makes. */
export const TOKEN_DAYS = 90;
const DAY_MS = 86_400_000;
const LONGEST_HOST = 80;

/** The name of this machine, as the page shows it on which a login is confirmed. */
export const hostName = (): string => hostname().trim().slice(0, LONGEST_HOST) || 'unknown machine';

/** The time so many days from now, as the API takes it. */
export const inDays = (now: number, days: number): string => new Date(now + days * DAY_MS).toISOString();
