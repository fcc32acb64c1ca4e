/** The months (`2026-11`) of which usage can be shown, newest first: from the current month back to the organization's first. */
export function monthsBetween(first: string, last: string, most = 24): string[] {
  const months: string[] = [];
  let [year = 0, month = 0] = last.split('-').map(Number);
  while (months.length < most) {
    const name = `${year}-${String(month).padStart(2, '0')}`;
    if (name < first && months.length > 0) break;
    months.push(name);
    month -= 1;
    if (month === 0) [year, month] = [year - 1, 12];
  }
  return months;
}

/** The days of a month: `2026-11` has `2026-11-01` to `2026-11-30`. */
export function daysOf(month: string): string[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

export const isMonth = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
