import { type Link } from '../../queries/project/links';
import { useWords } from '../../words/words-provider';

/** Returns a function that gives the name of a link, also of one that has none. */
export function useNameOfLink(): (link: Pick<Link, 'name' | 'is_default'>) => string {
  const words = useWords().links;
  return ({ name, is_default: isDefault }) => name ?? (isDefault ? words.defaultName : words.unnamed);
}
