/** Fields that link a log line to the current trace. */
export type TraceFields = Readonly<Record<string, string>>;

let source: (() => TraceFields) | undefined;

/** Adds the fields that `fields` returns to every log line. Called once, when tracing is configured. */
export function linkLogTo(fields: () => TraceFields): void {
  source = fields;
}

export const traceFields = (): TraceFields => source?.() ?? {};
