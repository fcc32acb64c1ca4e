import { isAllowedHostEntry } from '#infra/network/allowed-hosts';
import { isOverbroadNetwork } from '#infra/network/public-address';

/**
 * Problems with a list of private hosts to which the service may connect.
 * @param theirs whose networks to list instead of an overbroad one.
 */
export function allowedHostProblems(
  variable: string,
  entries: readonly string[],
  { production, theirs }: { readonly production: boolean; readonly theirs: string },
): string[] {
  const problems: string[] = [];
  if (!entries.every(isAllowedHostEntry))
    problems.push(`${variable}: each entry must be a host name, an address, or a network such as 10.1.0.0/16`);
  if (production && entries.some(isOverbroadNetwork))
    problems.push(`${variable}: an overbroad network is rejected in production. List the networks of ${theirs}`);
  return problems;
}
