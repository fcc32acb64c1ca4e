/** The text of a field of a form. Empty when there is none. */
export function formText(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
