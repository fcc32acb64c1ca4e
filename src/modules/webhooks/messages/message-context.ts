/** What a message shows beside the event. */
export interface MessageContext {
  /** Null for an event of the organization. */
  readonly projectName: string | null;
  readonly organizationName: string;
  /** The build in the dashboard. */
  readonly buildUrl: string | null;
  /** The install link: a credential. Only with `include_links`. */
  readonly installUrl: string | null;
  /** The size of the build with which a new one is compared, in bytes. Null without one, and for events that are not about a new build. */
  readonly previousSizeBytes: number | null;
}
