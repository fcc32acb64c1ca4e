import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PlistInput, xmlPlist } from './plist-writer';

/** Plays the settings of an iPhone with openssl: signs its answer to a profile with a certificate of its own. */
export class Phone {
  private readonly folder = mkdtempSync(join(tmpdir(), 'agate-phone-'));

  /** @param key the type of the phone's key, as for `openssl req -newkey`. */
  constructor(
    readonly udid: string,
    key: readonly string[] = ['rsa:2048'],
  ) {
    const subject = ['-subj', '/CN=Device', '-days', '30', '-nodes'];
    this.run('req', '-x509', '-newkey', ...key, '-keyout', this.file('key'), '-out', this.file('cert'), ...subject);
  }

  /** The answer: a property list, signed as CMS in DER. @param facts override its entries. */
  answer(challenge: string, facts: Readonly<Record<string, PlistInput>> = {}): Buffer {
    const entries = { UDID: this.udid, PRODUCT: 'iPhone15,2', VERSION: '21F90', CHALLENGE: challenge, ...facts };
    return this.signs(Buffer.from(xmlPlist(entries)));
  }

  signs(content: Buffer): Buffer {
    writeFileSync(this.file('content'), content);
    const signer = ['-signer', this.file('cert'), '-inkey', this.file('key'), '-in', this.file('content')];
    return this.run('cms', '-sign', '-binary', '-nodetach', '-outform', 'DER', ...signer);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private file(name: string): string {
    return join(this.folder, name);
  }

  private run(...args: string[]): Buffer {
    return execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 8 * 1024 * 1024 });
  }
}
