/** Prints the warnings and errors among the lines of a log when a test or a hook of the file fails (jest/shared-environment.cjs). */
export function printOnFailure(lines: readonly string[]): void {
  (globalThis as { agateTestLogs?: (readonly string[])[] }).agateTestLogs?.push(lines);
}
