import { type Platform } from '#kernel/builds/platform';
import { type ProjectScope } from '#kernel/context/scope';

/** What an update key opens. */
export interface UpdateTarget {
  readonly platform: Platform;
  /** The channel whose current release it opens. Null: the newest build of the project. */
  readonly channelId: string | null;
}

/** The key by which the installed apps of a channel and platform find updates. It opens nothing but the current build. */
export interface UpdateKey extends ProjectScope, UpdateTarget {
  readonly id: string;
  readonly token: string;
  readonly createdAt: Date;
  /** When the token was last replaced; null before. */
  readonly rotatedAt: Date | null;
  /** When an app last checked for updates, exact to a day; null before. */
  readonly lastUsedAt: Date | null;
}
