import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionConfig, RuntimeConfig } from '#infra/config/config';
import { Jobs } from '#infra/jobs/jobs';
import { fileTimeOf, MAIL_FILE } from './file-mailer';

const DAY_MS = 86_400_000;

/** Deletes old mails that were written to files, because they contain addresses and links. */
@Injectable()
export class MailFilesService implements OnModuleInit {
  private readonly directory: string;

  constructor(
    private readonly jobs: Jobs,
    private readonly config: RetentionConfig,
    { dataDirectory }: RuntimeConfig,
  ) {
    this.directory = join(dataDirectory, 'mail');
  }

  /** Runs also with a mail server: files from before it was configured may be left. */
  onModuleInit(): void {
    this.jobs.schedule('mail.prune-files', '43 4 * * *', ({ clock }) => this.prune(clock.now()));
  }

  private async prune(now: Date): Promise<void> {
    const oldest = fileTimeOf(new Date(now.getTime() - this.config.mailFileDays * DAY_MS));
    const names = await readdir(this.directory).catch(() => []);
    for (const name of names) {
      if (MAIL_FILE.test(name) && name < oldest) await rm(join(this.directory, name), { force: true });
    }
  }
}
