import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { takeFreePort } from '../support/processes/free-port';
import { until } from '../support/until';

const run = promisify(execFile);

/** Replies to recipients by the part before the @; all others are accepted. */
const RECIPIENTS = `
unknown@example.com   550 5.1.1 User unknown
blocked@example.com   554 5.7.1 Blocked by policy
full@example.com      552 5.2.2 Mailbox full
`;

export interface PostfixOptions {
  /** Parameters of main.cf. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The server offers STARTTLS with a self-signed certificate. */
  readonly offersTls?: boolean;
}

/**
 * The installed Postfix (Debian's `postfix`), with directories and a port of its own, as root, without chroot. Accepted mails to
 * example.com are delivered to files.
 */
export class PostfixServer {
  private constructor(
    private readonly directory: string,
    readonly port: number,
  ) {}

  static async start({ parameters = {}, offersTls = false }: PostfixOptions = {}): Promise<PostfixServer> {
    const directory = await mkdtemp(join(tmpdir(), 'agate-postfix-'));
    const server = new PostfixServer(directory, await takeFreePort());
    await server.configure({ ...parameters, ...(offersTls && (await server.certify())) });
    await server.postfix('start');
    await until(async () => (await server.log()).includes('daemon started'));
    return server;
  }

  get certificate(): string {
    return join(this.directory, 'certificate.pem');
  }

  /** The mails that were delivered, in the format of RFC 5322. */
  async delivered(): Promise<string[]> {
    const folder = join(this.directory, 'mail/new');
    const names = await readdir(folder).catch(() => []);
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  }

  log(): Promise<string> {
    return readFile(join(this.directory, 'log'), 'utf8').catch(() => '');
  }

  /** Changes parameters of the running server. */
  async change(parameters: Readonly<Record<string, string>>): Promise<void> {
    const changes = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
    await run('postconf', ['-c', this.config, ...changes]);
    await this.postfix('reload');
  }

  async stop(): Promise<void> {
    await this.postfix('abort').catch(() => undefined);
    await rm(this.directory, { recursive: true, force: true });
  }

  private get config(): string {
    return join(this.directory, 'config');
  }

  private async postfix(command: string): Promise<void> {
    await run('postfix', ['-c', this.config, command]);
  }

  private async configure(parameters: Readonly<Record<string, string>>): Promise<void> {
    const { directory, config, port } = this;
    // The unprivileged user of Postfix opens sockets in its folders.
    await chmod(directory, 0o755);
    for (const folder of ['config', 'queue', 'data', 'mail']) await mkdir(join(directory, folder));
    await run('chown', ['postfix', join(directory, 'data')]);
    await run('chown', ['nobody', join(directory, 'mail')]);
    const { stdout: nobody } = await run('id', ['-u', 'nobody']);
    await writeFile(join(config, 'recipients'), RECIPIENTS);
    const main = {
      compatibility_level: '3.6',
      queue_directory: join(directory, 'queue'),
      data_directory: join(directory, 'data'),
      maillog_file: join(directory, 'log'),
      maillog_file_prefixes: directory,
      myhostname: 'mail.example.com',
      mydestination: '',
      inet_interfaces: 'loopback-only',
      inet_protocols: 'ipv4',
      mynetworks: '127.0.0.0/8',
      alias_maps: '',
      virtual_mailbox_domains: 'example.com',
      virtual_mailbox_base: '/',
      virtual_mailbox_maps: `static:${join(directory, 'mail')}/`,
      virtual_uid_maps: `static:${nobody.trim()}`,
      virtual_gid_maps: `static:${nobody.trim()}`,
      virtual_minimum_uid: '1',
      smtpd_recipient_restrictions: `check_recipient_access texthash:${join(config, 'recipients')}, permit_mynetworks, reject`,
      smtpd_delay_reject: 'no',
      ...parameters,
    };
    const lines = Object.entries(main).map(([name, value]) => `${name} = ${value}`);
    await writeFile(join(config, 'main.cf'), `${lines.join('\n')}\n`);
    const master = await readFile('/etc/postfix/master.cf', 'utf8');
    await writeFile(join(config, 'master.cf'), ownServices(master, port));
  }

  private async certify(): Promise<Readonly<Record<string, string>>> {
    const key = join(this.directory, 'key.pem');
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', key, '-out', this.certificate];
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files]);
    return { smtpd_tls_cert_file: this.certificate, smtpd_tls_key_file: key, smtpd_tls_security_level: 'may' };
  }
}

/** The services of Debian's master.cf without chroot, with the log to a file, and with SMTP on a port of its own. */
function ownServices(master: string, port: number): string {
  const services = master
    .split('\n')
    .filter((line) => /^[a-z]/.test(line))
    .map((line) => line.split(/\s+/))
    .filter(([name, type]) => type === 'unix' && !['maildrop', 'uucp', 'ifmail', 'bsmtp', 'mailman'].includes(name!))
    .filter(([, , , , , , , command]) => command !== 'pipe')
    .map(([name, type, isPrivate, unprivileged, , ...others]) =>
      [name, type, isPrivate, unprivileged, 'n', ...others].join(' '),
    );
  const own = [`127.0.0.1:${port} inet n - n - - smtpd`, 'postlog unix-dgram n - n - 1 postlogd'];
  return [...own, ...services].join('\n') + '\n';
}
