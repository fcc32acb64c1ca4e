import { type CodeProblem, type IosDistribution } from '../../inspected-artifact';
import { type Provisioning } from '../provisioning-profile';
import { isCovered } from './entitlements';

interface AppProfile {
  readonly bundleId: string;
  readonly provisioning: Provisioning;
}

interface NestedProfile {
  readonly bundleId: string;
  /** `null` without a profile. */
  readonly provisioning: Provisioning | null;
}

type ProfileProblem = Omit<CodeProblem, 'bundle'>;

/** Distributions of apps that devices install from a link. */
const INSTALLED: readonly IosDistribution[] = ['development', 'adhoc', 'enterprise'];

/** What is wrong with the identifier and the profile of a program inside an app, compared with those of the app. */
export function profileProblems(app: AppProfile, nested: NestedProfile): ProfileProblem[] {
  const problem = (code: ProfileProblem['code'], subject: string | null): ProfileProblem => ({ code, subject });
  const isInside = nested.bundleId.startsWith(`${app.bundleId}.`);
  const problems = isInside ? [] : [problem('bundle_id_outside_app', nested.bundleId)];
  if (!INSTALLED.includes(app.provisioning.signing.distribution)) return problems;
  const { provisioning } = nested;
  const pattern = patternOf(provisioning ?? app.provisioning);
  if (pattern !== null && !isCovered(nested.bundleId, pattern))
    problems.push(
      provisioning ? problem('profile_of_other_app', pattern) : problem('profile_missing', nested.bundleId),
    );
  if (!provisioning) return problems;
  if (provisioning.signing.distribution === 'appstore') return [...problems, problem('profile_of_app_store', null)];
  return [...problems, ...deviceProblems(app.provisioning, provisioning)];
}

/** A device needs to be in both profiles, unless one is not restricted to devices. */
function deviceProblems({ devices }: Provisioning, nested: Provisioning): ProfileProblem[] {
  if (!nested.devices) return [];
  const allowed = new Set(nested.devices.map((id) => id.toLowerCase()));
  if (!devices) return [{ code: 'some_other_devices', subject: null }];
  const missing = devices.filter((id) => !allowed.has(id.toLowerCase())).length;
  if (missing === 0) return [];
  return missing === devices.length
    ? [{ code: 'no_common_device', subject: null }]
    : [{ code: 'some_other_devices', subject: String(missing) }];
}

/** The bundle ids that a profile is for: an id, or a pattern that ends in `*`. */
const patternOf = ({ signing }: Provisioning): string | null => signing.applicationId?.replace(/^[^.]*\./, '') ?? null;
