/** The longest result of a tool in bytes, and the part of it that questions and the envelope of the message may use. */
export const MAX_RESULT_BYTES = 25_000;
const RESERVED_BYTES = 2_000;

/** Texts and lists of an answer that is too long are cut in these steps. */
const STEPS: readonly { readonly text: number; readonly items: number }[] = [
  { text: 1024, items: 50 },
  { text: 512, items: 20 },
  { text: 256, items: 10 },
  { text: 128, items: 5 },
  { text: 64, items: 2 },
];

/** Whether a result with the answer is short enough. It has the answer twice: as structured content, and as text, whose quotes are escaped. */
export function fits(answer: unknown): boolean {
  const text = JSON.stringify(answer);
  const bytes = Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text));
  return bytes <= MAX_RESULT_BYTES - RESERVED_BYTES;
}

/** The answer, or as much of it as fits, with `truncated: true`. */
export function bounded(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (fits(answer)) return answer;
  for (const step of STEPS) {
    const cut = { ...(shortened(answer, step) as object), truncated: true };
    if (fits(cut)) return cut;
  }
  return { truncated: true };
}

function shortened(value: unknown, step: { readonly text: number; readonly items: number }): unknown {
  if (typeof value === 'string')
    return value.length > step.text ? `${value.slice(0, step.text).toWellFormed()}…` : value;
  if (Array.isArray(value)) return value.slice(0, step.items).map((each) => shortened(each, step));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner, step)]));
}
