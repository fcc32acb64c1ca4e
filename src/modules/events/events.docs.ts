import { type ControllerDocs } from '#infra/http/describe';

export const EVENTS_DOCS = {
  stream: {
    description:
      'Use it to learn immediately what changed, instead of polling lists. It is a stream of server-sent events (`EventSource` in browsers) that stays open. Each message has the type and the ids of a change, but no other data: read the resource again. You receive the events of what you may read: of projects in which you have a role, of testers with `testers:read`, of billing as `BILLING`, and all events as `AUDITOR`. Open the stream first and read the lists then, so that nothing is missed in between; or read them at the same time, with `recent_seconds`: the stream begins with the events of that time, or with `resync` when they are more than 500. After a reconnection with `Last-Event-ID`, an event `resync` says that events were missed; it is sent once. A comment every 20 seconds keeps the connection alive. The stream ends with an event `closing` when the credential expires or is revoked, when you lose access, when others need the place in a full process, or when the process stops. A developer may have ten streams at a time.',
    retry:
      'It changes nothing. Reconnect with the `Last-Event-ID`, as browsers do by themselves. After `closing` with the reason `credential`, refresh the session first.',
  },
} satisfies ControllerDocs;
