import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui';
import { useWords } from '../words/words-provider';
import { LoggedInAs } from './logged-in-as';
import { useTitle } from './use-title';

/** A page that does not exist, or that the developer may not see: the service does not distinguish the two. */
export function NotFound() {
  const { notFound } = useWords().frame;
  useTitle(notFound.heading);
  return (
    <EmptyState title={notFound.heading} level={1} icon="search" actions={<Link to="/">{notFound.home}</Link>}>
      <p>{notFound.text}</p>
      <LoggedInAs />
    </EmptyState>
  );
}
