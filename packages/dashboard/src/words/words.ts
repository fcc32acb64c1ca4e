import { type words } from './en';

/** The texts of the dashboard. A language that lacks one does not compile. */
export type Words = typeof words;
