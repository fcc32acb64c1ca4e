import { type Response } from 'express';
import { EventStream } from './event-stream';

describe('EventStream', () => {
  const responseOf = (): Response & { destroyed: boolean; sent: string } => {
    const response = {
      sent: '',
      destroyed: false,
      writableEnded: false,
      get writableLength(): number {
        return response.sent.length;
      },
      writeHead: () => response,
      write: (text: string) => (response.sent += text),
      destroy: () => (response.destroyed = true),
    };
    return response as unknown as Response & { destroyed: boolean; sent: string };
  };

  it('writes an event without a name as an ordinary message', () => {
    const response = responseOf();
    const stream = new EventStream(response);
    stream.send(null, 7, { type: 'build.uploaded' });
    stream.send('resync', 8, { type: 'resync' });
    expect(response.sent).toBe(
      'id: 7\ndata: {"type":"build.uploaded"}\n\nevent: resync\nid: 8\ndata: {"type":"resync"}\n\n',
    );
  });

  // red when: events are collected without limit
  it('disconnects a client that has not read 64 KiB', () => {
    const response = responseOf();
    const stream = new EventStream(response);
    for (let id = 0; id < 2_000 && stream.isOpen; id++) stream.send(null, id, { type: 'x'.repeat(64) });
    expect(response.destroyed).toBe(true);
    const { length } = response.sent;
    expect(length).toBeLessThan(66 * 1024);
    stream.heartbeat(1);
    expect(response.sent).toHaveLength(length);
  });
});
