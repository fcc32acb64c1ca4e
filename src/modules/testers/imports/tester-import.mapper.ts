import { type ImportedTester, type ImportOutcome } from '../tester';
import { type ImportedTestersResponse } from './tester-import.dto';

export function toImportedTestersResponse(imported: readonly ImportedTester[]): ImportedTestersResponse {
  const count = (outcome: ImportOutcome): number => imported.filter((tester) => tester.outcome === outcome).length;
  return {
    created: count('created'),
    existing: count('existing'),
    suppressed: count('suppressed'),
    testers: imported.map(({ testerId, email, outcome }) => ({ id: testerId, email, outcome })),
  };
}
