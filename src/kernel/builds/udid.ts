/** Without dashes: 40 digits, since 2018 24, and 32 on Macs. */
const DIGITS = /^(?:[0-9a-f]{40}|[0-9a-f]{24}|[0-9a-f]{32})$/;
const NOTATION = /^[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)*$/;

/** The form in which device ids are compared: profiles, phones and files write them with and without dashes, in either case. */
export const comparableUdid = (udid: string): string => udid.trim().replaceAll('-', '').toLowerCase();

/** Whether a text is the id (UDID) of a device of Apple, in any notation. */
export const isUdid = (text: string): boolean => NOTATION.test(text.trim()) && DIGITS.test(comparableUdid(text));

/** A device id in the notation of Apple's developer site, for example `00008101-000A1C3E0E88001E`. */
export function formatUdid(udid: string): string {
  const digits = comparableUdid(udid);
  if (digits.length === 24) return digits.toUpperCase().replace(/^(.{8})/, '$1-');
  if (digits.length === 32) return digits.toUpperCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return digits;
}
