// Prints the totals of a run, "N passed, N failed". A file that could not be run counts as a failure.
// With TEST_TOTALS_FILE the line is appended to that file, so that .ci/run can add up several runs, and what failed is appended to the
// same name with `.failures`, so that the end of a long output tells it.
const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const MAX_LINES = 30;

module.exports = class TotalsReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults }) {
    const line = `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`;
    const file = process.env.TEST_TOTALS_FILE;
    if (!file) return process.stdout.write(line);
    appendFileSync(file, line);
    for (const { testFilePath, failureMessage, testResults: tests } of testResults) {
      if (!failureMessage) continue;
      const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => `  failed: ${fullName}`);
      const lines = stripVTControlCharacters(failureMessage).trim().split('\n').slice(0, MAX_LINES);
      appendFileSync(
        `${file}.failures`,
        `${[relative(process.cwd(), testFilePath), ...failed, ...lines].join('\n')}\n\n`,
      );
    }
  }
};
