/** Set by the bundler. Sources that run without it, such as unit tests, have no version. */
declare const AGATE_CLI_VERSION: string | undefined;

/** The version of this command line. It is the version of the service that it was built with. */
export const VERSION = typeof AGATE_CLI_VERSION === 'string' ? AGATE_CLI_VERSION : '0.0.0';
