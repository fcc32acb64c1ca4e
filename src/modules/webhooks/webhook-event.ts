/** The actor of an event. */
export interface WebhookActor {
  /** The kind of credential, or `system`. */
  readonly kind: string;
  /** The name at the time of rendering; null when it is unknown, for example after the account was deleted. */
  readonly name: string | null;
}

/** The subjects of an event as the API gives them. Null, with `gone`, when an object was deleted before the event was rendered. */
export interface WebhookData {
  readonly build?: object | null;
  readonly release?: object | null;
  readonly channel?: object | null;
  readonly tester?: object | null;
  readonly gone?: true;
  readonly [name: string]: unknown;
}

/** An event of the audit chain as webhooks send it. */
export interface WebhookEvent {
  /** `evt_` and the id of the audit event: the same in every attempt. Sent as `webhook-id`. */
  readonly id: string;
  readonly type: string;
  /** When it happened, in ISO 8601. */
  readonly timestamp: string;
  readonly organization_id: string;
  readonly project_id: string | null;
  /** The place in the organization's audit chain. */
  readonly position: number;
  readonly actor: WebhookActor;
  readonly data: WebhookData;
  /** Set in the messages of the test button. */
  readonly test?: true;
}

/** The forms in which a webhook can send an event. */
export const WEBHOOK_FORMATS = ['standard', 'slack', 'teams', 'discord', 'google_chat'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];
