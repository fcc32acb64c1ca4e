// The last line of a run, for people and scripts: "N passed, N failed". A file that could not be run counts as a failure.
// With TEST_TOTALS_FILE set the line goes there, for whoever adds up several runs.
const { appendFileSync } = require('node:fs');

module.exports = class TotalsReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const line = `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`;
    const file = process.env.TEST_TOTALS_FILE;
    if (file) appendFileSync(file, line);
    else process.stdout.write(line);
  }
};
