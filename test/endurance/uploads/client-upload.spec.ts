import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import {
  type ApiError,
  Client,
  FileUnreadableError,
  type Network,
  type OutgoingPart,
  type PartSender,
  ResumableUpload,
  type ResumableUploadOptions,
} from '../../../packages/client/src';
import { envelopeToApiError } from '../../../packages/client/src/api-error';
import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { apk } from '../../support/artifacts/valid-artifacts';
import { until } from '../../support/until';

const MIB = 1024 * 1024;
const LARGE = { name: 'Demo.dmg', bytes: randomBytes(4 * 8 * MIB + 12_345) };
const MAC = { platform: 'macos', version: '1.0' } as const;

/** Sends parts by HTTP, as a command line would, and fails when the test demands it. */
class NodeSender implements PartSender {
  /** The first byte of every part that was sent completely. */
  readonly arrived: number[] = [];
  /** The number of sends to cut off half-way. */
  cuts = 0;
  /** Cuts off every send of this part and of those after it. */
  cutsFrom = Infinity;
  highestAtOnce = 0;
  /** Called when half of a part was sent. The part continues when it resolves. */
  atHalf: () => Promise<void> = () => Promise.resolve();
  private atOnce = 0;

  constructor(
    private readonly url: string,
    private readonly bytes: Buffer,
  ) {}

  async send({ url, start, end, signal, onProgress }: OutgoingPart): Promise<ApiError | null> {
    this.highestAtOnce = Math.max(this.highestAtOnce, ++this.atOnce);
    try {
      const error = await this.put(new URL(new URL(url).pathname, this.url), start, end, { signal, onProgress });
      if (!error) this.arrived.push(start);
      return error;
    } finally {
      this.atOnce -= 1;
    }
  }

  private put(
    url: URL,
    start: number,
    end: number,
    { signal, onProgress }: Pick<OutgoingPart, 'signal' | 'onProgress'>,
  ): Promise<ApiError | null> {
    const half = Math.floor((start + end) / 2);
    const isCut = start >= this.cutsFrom || (this.cuts > 0 && this.cuts-- > 0);
    return new Promise((resolve, reject) => {
      const headers = { 'Content-Length': end - start };
      const outgoing = request(url, { method: 'PUT', headers, signal }, (response) => {
        const status = response.statusCode ?? 0;
        response.resume().once('end', () => resolve(status < 300 ? null : envelopeToApiError(status, null, null)));
      });
      outgoing.on('error', () =>
        signal.aborted ? reject(signal.reason as Error) : resolve(envelopeToApiError(0, null, null)),
      );
      outgoing.write(this.bytes.subarray(start, half), () => {
        onProgress(half - start);
        if (isCut) return void outgoing.destroy();
        void this.atHalf().then(() => {
          outgoing.end(this.bytes.subarray(half, end), () => onProgress(end - start));
        });
      });
    });
  }
}

/** A network that the test switches off and on. */
class SwitchedNetwork implements Network {
  private isOn = true;
  private readonly listeners = new Set<() => void>();

  isOnline(): boolean {
    return this.isOn;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  turn(on: boolean): void {
    this.isOn = on;
    for (const listener of this.listeners) listener();
  }
}

describe('an upload by the client package', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let client: Client;
  let sender: NodeSender;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    const token = await ann.createsToken(project, 'UPLOAD_BUILD');
    client = new Client({ baseUrl: app.url, headers: { Authorization: `Bearer ${token}` } });
  });
  beforeEach(() => {
    sender = new NodeSender(app.url, LARGE.bytes);
  });
  afterAll(() => app.stop());

  const uploadOf = (options: Partial<ResumableUploadOptions> = {}): ResumableUpload =>
    new ResumableUpload({
      client,
      scope: { organization_id: project.organizationId, project_id: project.id },
      file: { name: LARGE.name, size: LARGE.bytes.length },
      sender,
      newKey: () => crypto.randomUUID(),
      sleep: () => new Promise((resolve) => setImmediate(resolve)),
      ...options,
    });
  const progressOf = (upload: ResumableUpload): number[] => {
    const seen: number[] = [];
    upload.subscribe(() => seen.push(upload.snapshot.sentBytes));
    return seen;
  };
  const builds = async (): Promise<number> =>
    ((await ann.get(`/builds?${scope(project)}`)).body as { items: unknown[] }).items.length;
  const sent = (): number[] => sender.arrived.map((start) => start / (8 * MIB) + 1).sort();

  it('arrives over connections that are cut, three parts concurrently, with a progress that never decreases', async () => {
    sender.cuts = 6;
    const upload = uploadOf({ parallel: 3 });
    const progress = progressOf(upload);
    upload.start(MAC);
    const { state, build, error } = await upload.settled();
    expect({ state, error }).toEqual({ state: 'done', error: null });
    expect(build).toMatchObject({ version: '1.0', size_bytes: LARGE.bytes.length });
    expect(sent()).toEqual([1, 2, 3, 4, 5]);
    expect(sender.highestAtOnce).toBe(3);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBe(LARGE.bytes.length);
  });

  it('that failed sends only the missing parts when it starts again', async () => {
    sender.cutsFrom = 2 * 8 * MIB;
    const upload = uploadOf();
    upload.start(MAC);
    const failed = await upload.settled();
    expect(failed).toMatchObject({ state: 'failed', error: { status: 0 } });
    expect(sent()).toEqual([1, 2]);

    sender.cutsFrom = Infinity;
    upload.start();
    expect(await upload.settled()).toMatchObject({ state: 'done', uploadId: failed.uploadId, error: null });
    expect(sent()).toEqual([1, 2, 3, 4, 5]);
  });

  /** Removes what the local store has of an open upload, as a restore into another store does. */
  const lose = (id: string): Promise<void> =>
    rm(join(app.dataDirectory, `artifacts/.parts/builds/${id}.parts`), { recursive: true });

  // red when: the upload fails, or the new one sends only the parts that the lost one lacked
  it('whose parts the service has lost starts again once, and sends the whole file', async () => {
    sender.cutsFrom = 2 * 8 * MIB;
    const failing = uploadOf();
    failing.start(MAC);
    const { uploadId } = await failing.settled();
    await lose(uploadId!);
    sender.cutsFrom = Infinity;
    sender.arrived.length = 0;
    const lost = jest.fn();
    const upload = uploadOf({ uploadId, onLost: lost });
    upload.start(MAC);
    const done = await upload.settled();
    expect(done).toMatchObject({ state: 'done', error: null });
    expect(done.uploadId).not.toBe(uploadId);
    expect(sent()).toEqual([1, 2, 3, 4, 5]);
    expect(lost).toHaveBeenCalledTimes(1);
  });

  it('whose parts the service loses again and again fails, and only after one new upload', async () => {
    const lost = jest.fn();
    const upload = uploadOf({ onLost: lost });
    sender.atHalf = async () => {
      const { uploadId } = upload.snapshot;
      if (uploadId !== null) await lose(uploadId).catch(() => undefined);
    };
    upload.start(MAC);
    expect(await upload.settled()).toMatchObject({ state: 'failed', error: { code: 'not_found' } });
    expect(lost).toHaveBeenCalledTimes(1);
  });

  it('that is paused lets three parts arrive, and another process sends the other two', async () => {
    const first = uploadOf({ parallel: 3 });
    sender.atHalf = async () => {
      first.pause();
      await Promise.resolve();
    };
    first.start(MAC);
    await until(() => sender.arrived.length === 3 && !first.snapshot.isFlowing);
    expect(first.snapshot.state).toBe('paused');

    const second = new NodeSender(app.url, LARGE.bytes);
    const continued = uploadOf({ sender: second, uploadId: first.snapshot.uploadId });
    continued.start();
    expect(await continued.settled()).toMatchObject({ state: 'done' });
    expect([sender.arrived.length, second.arrived.length]).toEqual([3, 2]);

    // The paused one finds that the build exists already.
    first.resume();
    expect((await first.settled()).build?.id).toBe(continued.snapshot.build?.id);
  });

  it('waits without a network and continues by itself', async () => {
    const network = new SwitchedNetwork();
    const upload = uploadOf({ network });
    network.turn(false);
    upload.start(MAC);
    expect(upload.snapshot.state).toBe('offline');
    await new Promise((resolve) => setImmediate(resolve));
    expect(upload.snapshot.uploadId).toBeNull();
    network.turn(true);
    expect(await upload.settled()).toMatchObject({ state: 'done' });
  });

  it('that is discarded stops immediately and leaves nothing at the service', async () => {
    const upload = uploadOf();
    const before = await builds();
    sender.atHalf = () => new Promise(() => undefined);
    upload.start(MAC);
    await until(() => upload.snapshot.isFlowing && upload.snapshot.sentBytes > 0);
    const { uploadId } = upload.snapshot;
    await upload.discard();
    expect(upload.snapshot).toMatchObject({ state: 'discarded', error: null });
    expect((await ann.get(`/builds/uploads/${uploadId}?${scope(project)}`)).status).toBe(404);
    expect(await builds()).toBe(before);
  });

  it('of a damaged app fails with the reason of the service, and starts from the beginning', async () => {
    const bytes = apk().subarray(0, 700);
    const damaged = uploadOf({ sender: new NodeSender(app.url, bytes), file: { name: 'big.apk', size: bytes.length } });
    damaged.start();
    const { state, error, uploadId, sentBytes } = await damaged.settled();
    expect({ state, uploadId, sentBytes }).toEqual({ state: 'failed', uploadId: null, sentBytes: 0 });
    expect(error).toMatchObject({ status: 400, code: 'invalid_input', reason: 'not_an_archive' });
  });

  it('whose file cannot be read fails without a retry', async () => {
    const send = jest.fn(() => Promise.reject(new FileUnreadableError('The file was changed.')));
    const upload = uploadOf({ sender: { send } });
    upload.start(MAC);
    expect(await upload.settled()).toMatchObject({ state: 'failed', error: { name: 'FileUnreadableError' } });
    expect(send.mock.calls.length).toBeLessThanOrEqual(3);
    await upload.discard();
  });
});
