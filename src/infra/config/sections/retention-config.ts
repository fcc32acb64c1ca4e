import { IsInt, Max, Min } from 'class-validator';
import { Variable } from '../variable';

const Days = (): PropertyDecorator => (target, property) => {
  IsInt()(target, property);
  Min(1)(target, property);
  Max(36_500)(target, property);
};

/** After how many days nightly jobs delete data. */
export class RetentionConfig {
  @Variable('DOWNLOAD_LOG_DAYS', {
    default: '365',
    describe:
      'Days after which an entry of the download log, and the report of an installed app that it runs a build, is deleted. The download counts of builds stay.',
  })
  @Days()
  downloadLogDays: number;

  @Variable('UNVERIFIED_ACCOUNT_DAYS', {
    default: '30',
    describe: 'Days after which an account is deleted whose e-mail address was never verified.',
  })
  @Days()
  unverifiedAccountDays: number;

  @Variable('MAIL_FILE_DAYS', {
    default: '30',
    describe: 'Days after which a mail that was written to a file in DATA_DIR/mail is deleted.',
  })
  @Days()
  mailFileDays: number;
}
