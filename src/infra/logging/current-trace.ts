/** Fields that tie a log line to the trace it was written in. */
export type TraceFields = Readonly<Record<string, string>>;

let source: (() => TraceFields) | undefined;

/** Has every log line carry these fields; called once, by tracing, where there is any. */
export function tieLogTo(fields: () => TraceFields): void {
  source = fields;
}

export const traceFields = (): TraceFields => source?.() ?? {};
