import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { sessionQuery } from '../queries/account/session';
import { useFormat } from '../words/use-format';
import { useWords } from '../words/words-provider';

/** Who is logged in, and with which roles in the organization of the address: a refusal may be meant for another account. */
export function LoggedInAs() {
  const { frame, roles: names } = useWords();
  const format = useFormat();
  const { org } = useParams({ strict: false });
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  if (!session?.developer) return null;
  const { email } = session.developer;
  const organization = session.organizations.find(({ id }) => id === org);
  if (!organization) return <p>{frame.notFound.as(email)}</p>;
  const roles = format.quoted(organization.roles.map((role) => names[role]));
  return <p>{frame.notFound.asRole(email, roles, organization.name)}</p>;
}
