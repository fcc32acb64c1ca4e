import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE } from '#infra/http/dto/example';
import { CutTextField, TextField } from '#infra/http/dto/fields';
import { AUTHOR_LENGTH, type BuildCommit, SHA_LENGTH, SHA_PATTERN, SUBJECT_LENGTH } from './build-commits';

const SHA = { max: SHA_LENGTH, example: EXAMPLE.commit } as const;
const SUBJECT = { max: SUBJECT_LENGTH, example: 'Fix the login on small screens' } as const;
const AUTHOR = { max: AUTHOR_LENGTH, example: 'Ann' } as const;

@ApiSchema({ description: 'A commit of the source code.' })
export class CommitRequest {
  @TextField({ ...SHA, pattern: SHA_PATTERN, description: 'Its hash, or the beginning of it, in hexadecimal.' })
  sha: string;

  @CutTextField({ ...SUBJECT, description: 'The first line of its message. It may be empty.' })
  subject: string;

  @CutTextField({ ...AUTHOR, optional: true, nullable: true, description: 'The name of its author.' })
  author?: string | null;
}

@ApiSchema({ description: 'A commit of the source code, as the upload said.' })
export class CommitResponse {
  @TextField({ ...SHA, description: 'Its hash, or the beginning of it, in hexadecimal.' })
  sha: string;

  @TextField({ ...SUBJECT, min: 0, description: 'The first line of its message. Empty when it has none.' })
  subject: string;

  @TextField({ ...AUTHOR, nullable: true, description: 'The name of its author. `null` when the upload did not say.' })
  author: string | null;
}

export const toCommits = (commits: readonly CommitRequest[]): BuildCommit[] =>
  commits.map(({ sha, subject, author }) => ({ sha, subject, author: author || null }));

export const toCommitResponses = (commits: readonly BuildCommit[]): CommitResponse[] =>
  commits.map(({ sha, subject, author }) => ({ sha, subject, author }));
