/** The CI systems that there is a snippet for, the most common first, with their names. */
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
  /** The value of a project access token. */
  readonly token: string;
}

const APK = 'app/build/outputs/apk/release/app-release.apk';
/** A new key for each run: the repetitions of curl make one build. Alpine has no uuidgen. */
const KEY = '$(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)';

/** The command that uploads a file with the token of the environment, and prints the build with its install link. */
function curlOf(
  { address, organizationId, projectId }: SnippetFacts,
  file: string,
  fields: readonly string[] = [],
): string {
  const query = new URLSearchParams({ organization_id: organizationId, project_id: projectId });
  return [
    `curl --fail-with-body --retry 3 "${address}/api/v1/builds?${query}"`,
    '-H "Authorization: Bearer $AGATE_TOKEN"',
    `-H "Idempotency-Key: ${KEY}"`,
    `-F file=@${file}`,
    ...fields.map((field) => `--form-string ${field}`),
  ].join(' \\\n  ');
}

const indent = (text: string, spaces: number): string => text.replaceAll(/^/gm, ' '.repeat(spaces));

const SNIPPETS: Record<CiSystem, (facts: SnippetFacts) => string> = {
  github: (facts) => `# Store the token once, then delete this line: gh secret set AGATE_TOKEN --body ${facts.token}
- name: Send the build to testers
  env:
    AGATE_TOKEN: \${{ secrets.AGATE_TOKEN }}
    CI_URL: \${{ github.server_url }}/\${{ github.repository }}/actions/runs/\${{ github.run_id }}
  run: |
${indent(curlOf(facts, APK, ['branch="$GITHUB_REF_NAME"', 'commit="$GITHUB_SHA"', 'ci_url="$CI_URL"']), 4)}
`,
  gitlab: (
    facts,
  ) => `# Store the token once, then delete this line: glab variable set AGATE_TOKEN --masked ${facts.token}
distribute:
  stage: deploy
  image: alpine:3.22
  before_script: [apk add --no-cache curl]
  script:
    - |
${indent(curlOf(facts, APK, ['branch="$CI_COMMIT_REF_NAME"', 'commit="$CI_COMMIT_SHA"', 'ci_url="$CI_JOB_URL"']), 6)}
`,
  fastlane: (
    facts,
  ) => `# Set the token outside of the repository, then delete this line: export AGATE_TOKEN=${facts.token}
lane :distribute do
  build_app(export_method: "ad-hoc")
  sh(<<~'SHELL'.sub("BUILD", lane_context[SharedValues::IPA_OUTPUT_PATH]))
${indent(curlOf(facts, '"BUILD"'), 4)}
  SHELL
end
`,
  jenkins: (facts) => `// Store the token once as the secret text "agate-token", then delete this line: ${facts.token}
stage('Distribute') {
  environment { AGATE_TOKEN = credentials('agate-token') }
  steps {
    sh '''
${indent(curlOf(facts, APK, ['branch="$BRANCH_NAME"', 'ci_url="$BUILD_URL"']), 6)}
    '''
  }
}
`,
  curl: (facts) => `AGATE_TOKEN=${facts.token}
${curlOf(facts, 'app-release.apk')}
`,
};

/** What a CI system needs to upload each build: a step of its configuration, or a command for a shell. */
export const snippetOf = (system: CiSystem, facts: SnippetFacts): string => SNIPPETS[system](facts);
