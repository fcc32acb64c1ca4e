import { createContext, useContext } from 'react';

/** The generic words of the components. Every other text is a property of a component. */
export interface UiWords {
  readonly cancel: string;
  readonly close: string;
  /** The reason why a dialog does not close while its action is running. */
  readonly running: string;
  readonly copied: string;
  /** Shown when neither method of copying works. */
  readonly copyFailed: string;
  readonly loading: string;
  readonly loadMore: string;
  /** The number of loaded rows, while there are more. @param count `1 build`, `50 builds` */
  readonly soFar: (count: string) => string;
  /** Shown in place of the rows of a search that has found none, and is not complete. */
  readonly nothingYet: string;
  readonly notifications: string;
  readonly dismiss: string;
  readonly tryAgain: string;
  /** The name of the link to the page about a screen. */
  readonly help: string;
  /** The link to the page about an error. */
  readonly explained: string;
  readonly requestId: string;
  readonly showAsTable: string;
  readonly showAsChart: string;
  readonly showPassword: string;
  readonly hidePassword: string;
  readonly clearSearch: string;
  readonly newTab: string;
  readonly done: string;
  readonly current: string;
  readonly unchanged: string;
  /** Announced between the two values of a difference: "15 changes to 16". */
  readonly changesTo: string;
  readonly day: string;
  readonly retryIn: (seconds: number) => string;
  readonly relativeTime: (time: Date, now: Date) => string;
  /** The date and time with the zone. */
  readonly exactTime: (time: Date) => string;
  /** The date and time in UTC, in the form of `exactTime`. */
  readonly utcTime: (time: Date) => string;
  readonly required: string;
  readonly invalidEmail: string;
  readonly invalidUrl: string;
  readonly invalidValue: string;
  readonly tooShort: (minimum: number) => string;
  readonly tooLong: (maximum: number) => string;
  readonly tooSmall: (minimum: string) => string;
  readonly tooLarge: (maximum: string) => string;
}

const UiWordsContext = createContext<UiWords | null>(null);

/** Gives the components below it their generic words. */
export const UiWordsProvider = UiWordsContext.Provider;

/** @throws Error outside of a UiWordsProvider */
export function useUiWords(): UiWords {
  const words = useContext(UiWordsContext);
  if (!words) throw new Error('Put the components inside a UiWordsProvider.');
  return words;
}
