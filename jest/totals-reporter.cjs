// Prints the totals of a run, "N passed, N failed". A file that could not be run counts as a failure.
// With TEST_TOTALS_FILE the line is appended to that file, so that .ci/run can add up several runs.
const { appendFileSync } = require('node:fs');

module.exports = class TotalsReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const line = `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`;
    const file = process.env.TEST_TOTALS_FILE;
    if (file) appendFileSync(file, line);
    else process.stdout.write(line);
  }
};
