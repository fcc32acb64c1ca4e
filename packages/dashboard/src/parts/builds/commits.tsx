import { type CommitResponse } from '@agate/client';
import { type Build } from '../../queries/project/builds';
import { ExternalLink } from '../../ui';
import { useWords } from '../../words/words-provider';
import { commitAddress } from './commit-address';
import styles from './commits.module.css';

export interface CommitsProps {
  readonly commits: readonly CommitResponse[];
  /** The source of the build, which tells the repository. */
  readonly source: Build['source'];
}

/** Commits with their subjects and authors, newest first. */
export const Commits = ({ commits, source }: CommitsProps) => (
  <ul className={styles.commits}>
    {commits.map((commit) => (
      <li key={commit.sha}>
        <Commit commit={commit} address={commitAddress(source, commit.sha)} />
      </li>
    ))}
  </ul>
);

function Commit({ commit, address }: { commit: CommitResponse; address: string | null }) {
  const words = useWords().differences;
  const hash = commit.sha.slice(0, 7);
  return (
    <>
      <span className={styles.subject}>{commit.subject || words.noSubject}</span>
      {commit.author && <span className={styles.author}>{commit.author}</span>}
      <span className={styles.hash}>{address ? <ExternalLink href={address}>{hash}</ExternalLink> : hash}</span>
    </>
  );
}
