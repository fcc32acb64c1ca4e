import { type words } from './en';
import { type everyScreen } from './en/every-screen';

/** The texts of the dashboard. A language that lacks one does not compile. */
export type Words = typeof words;

/** A part of the texts that is a separate file in each language, because not every screen shows it. */
export type Area = Exclude<keyof Words, keyof typeof everyScreen>;
