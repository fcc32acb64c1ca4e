import { type UiWords } from '../../ui/ui-words';
import { formatExactTime, formatPlural, formatRelativeTime } from '../format';

export const ui: UiWords = {
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  copyFailed: 'The browser refused. Select the text and copy it.',
  loading: 'Loading',
  loadMore: 'Load more',
  notifications: 'Notifications',
  dismiss: 'Dismiss',
  tryAgain: 'Try again',
  requestId: 'Request id',
  showAsTable: 'Show as table',
  showAsChart: 'Show as chart',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  clearSearch: 'Clear search',
  newTab: 'opens in a new tab',
  done: 'done',
  current: 'current',
  unchanged: 'unchanged',
  changesTo: 'changes to',
  day: 'Day',
  retryIn: (seconds) => formatPlural('en', seconds, { one: 'Next try in # second.', other: 'Next try in # seconds.' }),
  relativeTime: (time, now) => formatRelativeTime('en', time, now),
  exactTime: (time) => formatExactTime('en', time),
  required: 'Fill in this field.',
  invalidEmail: 'Enter an e-mail address, for example ann@example.com.',
  invalidUrl: 'Enter an address that begins with https://.',
  invalidValue: 'Enter a valid value.',
  tooShort: (minimum) =>
    formatPlural('en', minimum, { one: 'Enter at least # character.', other: 'Enter at least # characters.' }),
  tooLong: (maximum) =>
    formatPlural('en', maximum, { one: 'Enter at most # character.', other: 'Enter at most # characters.' }),
  tooSmall: (minimum) => `Enter ${minimum} or more.`,
  tooLarge: (maximum) => `Enter ${maximum} or less.`,
};
