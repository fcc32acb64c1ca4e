import { type ExportedFile } from '#kernel/account-data';

/** The files of account exports, in the order of the zip. A read model collects them, because some join tables of several modules. */
export abstract class AccountFiles {
  abstract readonly organization: readonly ExportedFile[];
  /** Data about the person, not about the organizations they belong to. */
  abstract readonly developer: readonly ExportedFile[];
}
