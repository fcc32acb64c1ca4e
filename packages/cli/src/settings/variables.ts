const SWITCHED_OFF = ['', '0', 'false', 'no', 'off'];
/** Variables of options without a value, or with an optional one. */
const SWITCHES =
  /^AGATE_(JSON|QUIET|DEBUG|SILENT|MANDATORY|NEW|NEXT|OPEN|DASHBOARD|QR|COPY|DROP|FORCE|YES|DRY_RUN|DELETED|PERMANENTLY|OFF|PASSWORD_STDIN|NO_CI_METADATA|NO_COMMITS|NO_TESTERS|EXPECT_INSTALLABLE|FAIL_ON_WARNING|NOTES_FROM_GIT|UNIVERSAL_APK|USE_PASSWORD|WITH_TOKEN|CREATE|CREATE_TOKEN|UPLOAD|LOCAL|PERSONAL|INCLUDE_LINKS|REGISTERED|UNREGISTERED|TRUST_PROJECT_FILE)$/;

/**
 * Removes `AGATE_…` variables that are empty, and switches that are off: a CI system sets a variable to an empty text when its value is not
 * configured.
 */
export function forgetUnsetVariables(environment: NodeJS.ProcessEnv): void {
  for (const [name, value = ''] of Object.entries(environment)) {
    if (!name.startsWith('AGATE_')) continue;
    const unset = SWITCHES.test(name) ? SWITCHED_OFF.includes(value.trim().toLowerCase()) : value.trim() === '';
    if (unset) delete environment[name];
  }
}
