import { type Developer } from '#modules/developers';
import { type Organization } from '#modules/organizations';

export const SESSION_STATES = ['active', 'expired', 'none'] as const;
export type SessionStateName = (typeof SESSION_STATES)[number];

/** Whether the cookies of a browser are those of a session. `expired`: only the refresh token is valid, so a refresh would succeed. */
export type SessionState =
  | { readonly state: 'expired' | 'none' }
  | {
      readonly state: 'active';
      readonly developer: Developer;
      readonly mfaEnabled: boolean;
      readonly organizations: readonly Organization[];
    };
