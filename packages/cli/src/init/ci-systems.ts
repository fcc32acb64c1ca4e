import { type CiSystem, commandsOf, indented } from './snippet';

const github: CiSystem = {
  id: 'github',
  name: 'GitHub Actions',
  signs: ['.github'],
  place: 'the steps of a job in .github/workflows',
  secret: 'Settings › Secrets and variables › Actions › New repository secret, with the name AGATE_TOKEN',
  snippet: (facts) => `- name: Send the build to testers
  env:
    AGATE_TOKEN: \${{ secrets.AGATE_TOKEN }}
  run: |
${indented(commandsOf(facts), 4)}
`,
};

const gitlab: CiSystem = {
  id: 'gitlab',
  name: 'GitLab CI',
  signs: ['.gitlab-ci.yml'],
  place: '.gitlab-ci.yml',
  secret: 'Settings › CI/CD › Variables › Add variable, with the key AGATE_TOKEN, masked',
  snippet: (facts) => `distribute:
  stage: deploy
  image: node:22
  script:
${commandsOf(facts, ' --dotenv agate.env')
  .map((command) => `    - ${command}`)
  .join('\n')}
  artifacts:
    reports:
      dotenv: agate.env
  environment:
    name: agate
    url: $AGATE_INSTALL_URL
  retry:
    max: 2
    exit_codes: [7]
`,
};

const fastlane: CiSystem = {
  id: 'fastlane',
  name: 'fastlane',
  signs: ['fastlane/Fastfile', 'Fastfile'],
  place: 'the Fastfile; call the lane after build_app or gradle',
  secret: 'the variable AGATE_TOKEN of the machine or CI that runs fastlane',
  snippet: ({ url }) => `lane :distribute do
  file = lane_context[:IPA_OUTPUT_PATH] || lane_context[:GRADLE_APK_OUTPUT_PATH]
  ENV["AGATE_URL"] = "${url}"
  sh("curl", "-fsS", "-o", "agate.mjs", "${url}/cli/agate.mjs")
  sh("node", "agate.mjs", "upload", file)
end
`,
};

const jenkins: CiSystem = {
  id: 'jenkins',
  name: 'Jenkins',
  signs: ['Jenkinsfile'],
  place: 'the stages of the Jenkinsfile',
  secret: 'Manage Jenkins › Credentials › Add › Secret text, with the id agate-token',
  snippet: (facts) => `stage('Distribute') {
  environment { AGATE_TOKEN = credentials('agate-token') }
  steps {
    sh '''
${indented(commandsOf(facts), 6)}
    '''
  }
}
`,
};

const bitrise: CiSystem = {
  id: 'bitrise',
  name: 'Bitrise',
  signs: ['bitrise.yml'],
  place: 'the steps of a workflow in bitrise.yml',
  secret: 'Workflow Editor › Secrets › Add new, with the key AGATE_TOKEN',
  snippet: (facts) => `- script@1:
    title: Send the build to testers
    inputs:
    - content: |-
        #!/usr/bin/env bash
        set -euo pipefail
${indented(commandsOf({ ...facts, artifact: '${BITRISE_IPA_PATH:-$BITRISE_APK_PATH}' }), 8)}
`,
};

const codemagic: CiSystem = {
  id: 'codemagic',
  name: 'Codemagic',
  signs: ['codemagic.yaml'],
  place: 'the scripts of a workflow in codemagic.yaml',
  secret: 'Environment variables › Add, with the name AGATE_TOKEN, secret, in a group that the workflow uses',
  snippet: (facts) => `- name: Send the build to testers
  script: |
${indented(commandsOf(facts), 4)}
`,
};

const azure: CiSystem = {
  id: 'azure',
  name: 'Azure Pipelines',
  signs: ['azure-pipelines.yml'],
  place: 'the steps of azure-pipelines.yml',
  secret: 'Pipelines › Edit › Variables › New variable, with the name AGATE_TOKEN, kept secret',
  snippet: (facts) => `- bash: |
${indented(commandsOf(facts), 4)}
  name: agate
  env:
    AGATE_TOKEN: $(AGATE_TOKEN)
`,
};

const circleci: CiSystem = {
  id: 'circleci',
  name: 'CircleCI',
  signs: ['.circleci/config.yml'],
  place: 'the steps of a job in .circleci/config.yml, on an image with Node.js',
  secret: 'Project Settings › Environment Variables › Add, with the name AGATE_TOKEN',
  snippet: (facts) => `- run:
    name: Send the build to testers
    command: |
${indented(commandsOf(facts), 6)}
`,
};

const bitbucket: CiSystem = {
  id: 'bitbucket',
  name: 'Bitbucket Pipelines',
  signs: ['bitbucket-pipelines.yml'],
  place: 'the steps of a pipeline in bitbucket-pipelines.yml',
  secret: 'Repository settings › Repository variables, with the name AGATE_TOKEN, secured',
  snippet: (facts) => `- step:
    name: Send the build to testers
    image: node:22
    script:
${commandsOf(facts)
  .map((command) => `      - ${command}`)
  .join('\n')}
`,
};

/** For a folder in which no CI is found. */
export const shell: CiSystem = {
  id: 'shell',
  name: 'any CI with a shell and Node.js 20',
  signs: [],
  place: 'a step after the one that builds the app',
  secret: 'a secret variable with the name AGATE_TOKEN',
  snippet: (facts) => `${commandsOf(facts).join('\n')}\n`,
};

/** The systems that `agate init` knows. */
export const CI_SYSTEMS: readonly CiSystem[] = [
  github,
  gitlab,
  fastlane,
  jenkins,
  bitrise,
  codemagic,
  azure,
  circleci,
  bitbucket,
  shell,
];

/** The systems that a folder uses. @param exists whether the folder has a path. */
export const systemsIn = (exists: (path: string) => boolean): readonly CiSystem[] =>
  CI_SYSTEMS.filter(({ signs }) => signs.some(exists));
