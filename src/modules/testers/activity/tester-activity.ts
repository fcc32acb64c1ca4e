import { type DeviceFamily } from '#kernel/builds/device';
import { type Platform } from '#kernel/builds/platform';
import { type TesterWithSubscriptions } from '../tester';

/** How far a tester is (docs/api-behaviour.md#state-of-a-tester). */
export const TESTER_STATES = ['added', 'invited', 'opened', 'has_current', 'behind', 'left'] as const;
export type TesterState = (typeof TESTER_STATES)[number];

export interface LastDownload {
  readonly buildId: string;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly platform: Platform;
  readonly deviceFamily: DeviceFamily;
  readonly at: Date;
}

export interface TesterActivity {
  readonly state: TesterState;
  /** When the last mail with an install link was queued, null before. */
  readonly invitedAt: Date | null;
  /** When the tester first opened one of their links, null before. */
  readonly openedAt: Date | null;
  /** The newest entry of the download log, null when there is none. */
  readonly lastDownload: LastDownload | null;
}

export interface TesterWithActivity extends TesterWithSubscriptions {
  /** Null when the caller may not see what testers did. */
  readonly activity: TesterActivity | null;
}
