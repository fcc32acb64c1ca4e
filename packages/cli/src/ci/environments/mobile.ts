import { first, type Machine, type Provider, type Source } from './provider';

const bitrise = ({ env }: Machine): Source => ({
  branch: env['BITRISE_GIT_BRANCH'],
  tag: env['BITRISE_GIT_TAG'],
  // Builds that are started by hand have no commit until the step that clones the repository sets it.
  commit: first(env['BITRISE_GIT_COMMIT'], env['GIT_CLONE_COMMIT_HASH']),
  url: env['BITRISE_BUILD_URL'],
  pullRequest: env['BITRISE_PULL_REQUEST'],
});

const xcodeCloud = ({ env }: Machine): Source => ({
  branch: first(env['CI_PULL_REQUEST_SOURCE_BRANCH'], env['CI_BRANCH']),
  tag: env['CI_TAG'],
  commit: first(env['CI_PULL_REQUEST_SOURCE_COMMIT'], env['CI_COMMIT']),
  url: env['CI_BUILD_URL'],
  pullRequest: env['CI_PULL_REQUEST_NUMBER'],
  pullRequestUrl: env['CI_PULL_REQUEST_HTML_URL'],
});

const codemagic = ({ env }: Machine): Source => ({
  branch: env['CM_BRANCH'],
  tag: env['CM_TAG'],
  commit: env['CM_COMMIT'],
  url: env['CM_PROJECT_ID'] && `https://codemagic.io/app/${env['CM_PROJECT_ID']}/build/${env['CM_BUILD_ID']}`,
  pullRequest: env['CM_PULL_REQUEST_NUMBER'],
});

/** Appcircle publishes no variable for the page of a build. */
const appcircle = ({ env }: Machine): Source => ({
  branch: env['AC_GIT_BRANCH'],
  tag: env['AC_GIT_TAG'],
  commit: env['AC_GIT_COMMIT'],
  pullRequest: env['AC_GIT_PR'],
});

/** The CIs that build only apps. */
export const MOBILE: readonly Provider[] = [
  { name: 'Bitrise', detect: 'BITRISE_IO', source: bitrise },
  { name: 'Xcode Cloud', detect: 'CI_XCODE_CLOUD', source: xcodeCloud },
  { name: 'Codemagic', detect: 'CM_BUILD_ID', source: codemagic },
  { name: 'Appcircle', detect: 'AC_APPCIRCLE', source: appcircle },
];
