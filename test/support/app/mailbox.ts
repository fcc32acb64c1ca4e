import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

/** Reads the mails that the service writes as files. */
export class Mailbox {
  constructor(private readonly directory: string) {}

  async all(to?: string): Promise<Email[]> {
    const names = await readdir(this.directory).catch(() => []);
    const files = names.filter((name) => name.endsWith('.eml')).sort();
    const mails = await Promise.all(
      files.map(async (name) => PostalMime.parse(await readFile(join(this.directory, name)))),
    );
    return to === undefined
      ? mails
      : mails.filter((mail) => mail.to?.some(({ address }) => address?.toLowerCase() === to.toLowerCase()));
  }

  /** Waits until an address has at least `count` mails and returns the latest. */
  async latest(to: string, count = 1): Promise<Email> {
    for (let waited = 0; waited < 15_000; waited += 50) {
      const mails = await this.all(to);
      if (mails.length >= count) return mails.at(-1)!;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${to} has fewer than ${count} mails`);
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
    for (let waited = 0; waited < 15_000; waited += 50) {
      const links = (await this.all(to)).flatMap((mail) => mail.text?.match(/https?:\/\/\S+/g) ?? []);
      const link = links.map((url) => new URL(url)).findLast(({ href }) => href.includes(path));
      if (link) return link;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`No mail to ${to} has a link with ${path}`);
  }
}
