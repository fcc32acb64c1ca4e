/** The CI systems with a snippet, the most common first, with their names. */
export const CI_SYSTEMS = [
  { value: 'github', label: 'GitHub Actions' },
  { value: 'gitlab', label: 'GitLab CI' },
  { value: 'fastlane', label: 'fastlane' },
  { value: 'jenkins', label: 'Jenkins' },
  { value: 'curl', label: 'curl' },
] as const;

export type CiSystem = (typeof CI_SYSTEMS)[number]['value'];

export interface SnippetFacts {
  /** Address of the service, without a path. */
  readonly address: string;
  readonly organizationId: string;
  readonly projectId: string;
}

const FOLDER = 'app/build/outputs/apk/release';
/** The address of the command line at the service. It finds the newest build of a folder, and resumes an interrupted upload. */
const FETCH = 'curl -fsS -o agate.mjs "$AGATE_URL/cli/agate.mjs"';
const uploadOf = (path: string): string => `node agate.mjs upload ${path}`;

/** The command that uploads a file with the token of the environment, and prints the build with its install link. */
function curlOf({ address, organizationId, projectId }: SnippetFacts, file: string): string {
  const query = new URLSearchParams({ organization_id: organizationId, project_id: projectId });
  return [
    `curl --fail-with-body --retry 3 "${address}/api/v1/builds?${query}"`,
    '-H "Authorization: Bearer $AGATE_TOKEN"',
    // A new key for each run, so that curl's retries create one build. Alpine has no uuidgen.
    '-H "Idempotency-Key: $(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)"',
    `-F file=@${file}`,
  ].join(' \\\n  ');
}

/** The command that gives a project access token to the CI system; for Jenkins, the text of the credential `agate-token`. */
const SECRET_COMMANDS: Record<CiSystem, (token: string) => string> = {
  github: (token) => `gh secret set AGATE_TOKEN --body ${token}`,
  gitlab: (token) => `glab variable set AGATE_TOKEN --masked ${token}`,
  fastlane: (token) => `export AGATE_TOKEN=${token}`,
  jenkins: (token) => token,
  curl: (token) => `export AGATE_TOKEN=${token}`,
};

/** None of them contains a secret, because they are committed. */
const WORKFLOWS: Record<CiSystem, (facts: SnippetFacts) => string> = {
  github: ({ address, projectId }) => `- name: Send the build to testers
  env:
    AGATE_URL: ${address}
    AGATE_PROJECT: ${projectId}
    AGATE_TOKEN: \${{ secrets.AGATE_TOKEN }}
  run: ${FETCH} && ${uploadOf(FOLDER)}
`,
  gitlab: ({ address, projectId }) => `distribute:
  stage: deploy
  image: node:22
  variables:
    AGATE_URL: ${address}
    AGATE_PROJECT: ${projectId}
  script:
    - ${FETCH}
    - ${uploadOf(FOLDER)} --dotenv agate.env
  artifacts:
    reports:
      dotenv: agate.env
`,
  fastlane: ({ address, projectId }) => `lane :distribute do
  build_app(export_method: "ad-hoc")
  ENV["AGATE_URL"] = "${address}"
  ENV["AGATE_PROJECT"] = "${projectId}"
  sh('${FETCH}')
  sh("node", "agate.mjs", "upload", lane_context[SharedValues::IPA_OUTPUT_PATH])
end
`,
  jenkins: ({ address, projectId }) => `// The credential "agate-token" is a secret text.
stage('Distribute') {
  environment {
    AGATE_URL = '${address}'
    AGATE_PROJECT = '${projectId}'
    AGATE_TOKEN = credentials('agate-token')
  }
  steps {
    sh '${FETCH} && ${uploadOf(FOLDER)}'
  }
}
`,
  curl: (facts) => `${curlOf(facts, 'app-release.apk')}
`,
};

export const secretCommandOf = (system: CiSystem, token: string): string => SECRET_COMMANDS[system](token);

/** The configuration step or shell commands with which a CI system uploads each build. */
export const workflowOf = (system: CiSystem, facts: SnippetFacts): string => WORKFLOWS[system](facts);
