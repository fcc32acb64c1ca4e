import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';

/** Reads the mails that the service writes as files. */
export class Mailbox {
  private readonly mails = new Map<string, Promise<Email>>();

  constructor(private readonly directory: string) {}

  async all(to?: string): Promise<Email[]> {
    const names = await readdir(this.directory).catch(() => []);
    const files = names.filter((name) => name.endsWith('.eml')).sort();
    const mails = await Promise.all(files.map((name) => this.mail(name)));
    return to === undefined
      ? mails
      : mails.filter((mail) => mail.to?.some(({ address }) => address?.toLowerCase() === to.toLowerCase()));
  }

  /** Waits until an address has at least `count` mails and returns the latest. */
  async latest(to: string, count = 1): Promise<Email> {
    const find = async () => {
      const mails = await this.all(to);
      return mails.length >= count ? mails.at(-1) : undefined;
    };
    return waitFor(find, `${to} has fewer than ${count} mails`);
  }

  /** The first link of the latest mail. */
  async link(to: string, count = 1): Promise<URL> {
    const mail = await this.latest(to, count);
    const url = /https?:\/\/\S+/.exec(mail.text ?? '')?.[0];
    if (!url) throw new Error(`The mail to ${to} contains no link`);
    return new URL(url);
  }

  /** Waits until a mail to the address has a link with this text, and returns the link. */
  async linkTo(to: string, path: string): Promise<URL> {
    const find = async () => {
      const links = (await this.all(to)).flatMap((mail) => mail.text?.match(/https?:\/\/\S+/g) ?? []);
      return links.map((url) => new URL(url)).findLast(({ href }) => href.includes(path));
    };
    return waitFor(find, `No mail to ${to} has a link with ${path}`);
  }

  /** A mail is complete when its file appears, and never changes. */
  private mail(name: string): Promise<Email> {
    const mail = this.mails.get(name) ?? readFile(join(this.directory, name)).then((bytes) => PostalMime.parse(bytes));
    this.mails.set(name, mail);
    return mail;
  }
}

/** Waits for far longer than a busy machine needs. The last look begins after that time, so that no mail is missed in a pause. */
async function waitFor<T>(find: () => Promise<T | undefined>, missing: string): Promise<T> {
  for (const end = performance.now() + 120_000; ; await sleep(10)) {
    const isLast = performance.now() > end;
    const found = await find();
    if (found !== undefined) return found;
    if (isLast) throw new Error(missing);
  }
}
