import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { parse } from 'csv-parse/sync';
import { AppError } from '#kernel/errors/app-error';
import { escapeFormulas } from '#kernel/text/formulas';
import { type CsvRow, sendCsv } from './stream-response';

async function* rowsOf(...rows: (CsvRow | Error)[]): AsyncGenerator<CsvRow, void, void> {
  for (const row of rows) {
    await Promise.resolve();
    if (row instanceof Error) throw row;
    yield row;
  }
}

describe('sendCsv', () => {
  let server: Server;
  let rows: AsyncIterable<CsvRow>;
  let thrown: unknown;
  let sent: Promise<void>;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      thrown = undefined;
      const file = { fileName: 'Testers "1".csv', columns: ['name', 'size'], rows };
      sent = sendCsv(response, file, (row) => row).catch((error: unknown) => {
        thrown = error;
        if (response.headersSent) response.destroy();
        else response.writeHead(404).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close().closeAllConnections());

  const fetched = (method = 'GET', signal: AbortSignal | null = null): Promise<Response> =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method, signal });

  it('sends a table that a spreadsheet can read', async () => {
    rows = rowsOf({ name: 'Ann, "the" tester\r\n🚀', size: 7 }, { name: null, size: -1 });
    const answer = await fetched();
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="Testers \\"1\\".csv"');
    expect(parse(await answer.text())).toEqual([
      ['name', 'size'],
      ['Ann, "the" tester\r\n🚀', '7'],
      ['', '-1'],
    ]);
  });

  // red when: `cast` is absent, or only the library's `escape_formulas` is on, which ignores the last two
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', ';=1+1;', 'x\n@SUM(A1)'])(
    'prevents spreadsheets from evaluating %j',
    async (name) => {
      rows = rowsOf({ name, size: null });
      const [, line] = parse(await (await fetched()).text());
      expect(line?.[0]).toBe(escapeFormulas(name));
      expect(line?.[0]).toHaveLength(name.length + 1);
    },
  );

  // red when: all rows that are ready are converted before the event loop continues
  it('lets other requests run between pieces', async () => {
    let turns = 0;
    let ticking = true;
    const tick = (): void => void (ticking && (turns++, setImmediate(tick)));
    const turnsAt: number[] = [];
    rows = (async function* () {
      await Promise.resolve();
      tick();
      for (let row = 0; row < 1_000; row++) {
        if (row % 100 === 0) turnsAt.push(turns);
        yield { name: 'Ann', size: row };
      }
      ticking = false;
    })();
    await (await fetched()).text();
    expect(turnsAt).toHaveLength(10);
    expect(new Set(turnsAt).size).toBe(10);
  });

  it('sends the header line of an empty table', async () => {
    rows = rowsOf();
    expect(await (await fetched()).text()).toBe('name,size\r\n');
  });

  // red when: rows are lost or repeated between two pieces, or the header line is
  it('sends all rows of a long table once', async () => {
    rows = rowsOf(...Array.from({ length: 250 }, (_, size) => ({ name: 'a', size })));
    const lines = parse(await (await fetched()).text());
    expect(lines.map(([, size]) => size)).toEqual(['size', ...Array.from({ length: 250 }, (_, size) => String(size))]);
  });

  // red when: the headers are sent before the first row is read
  it('throws an error before the first row', async () => {
    rows = rowsOf(AppError.notFound('build'));
    expect((await fetched()).status).toBe(404);
    expect(thrown).toBeInstanceOf(AppError);
  });

  // red when: HEAD reads all rows like GET
  it('reads only the first row for HEAD', async () => {
    let read = 0;
    let ended = false;
    rows = (async function* () {
      try {
        for (; read < 100_000; read++) {
          await Promise.resolve();
          yield { name: 'a', size: read };
        }
      } finally {
        ended = true;
      }
    })();
    const answer = await fetched('HEAD');
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      '',
    ]);
    expect(read).toBeLessThan(1000);
    expect(ended).toBe(true);
  });

  // red when: a client that leaves is reported as an error of the service
  it('throws nothing when the client disconnects before the first row', async () => {
    const leaving = new AbortController();
    const closed = new Promise((resolve) =>
      server.once('request', (_request, response) => {
        response.once('close', resolve);
        leaving.abort();
      }),
    );
    rows = (async function* () {
      await closed;
      yield { name: 'a', size: 1 };
    })();
    await expect(fetched('GET', leaving.signal)).rejects.toThrow('aborted');
    await sent;
    expect(thrown).toBeUndefined();
  });

  // red when: the response ends successfully
  it('closes the connection when a later row fails', async () => {
    rows = rowsOf(...Array.from({ length: 100 }, () => ({ name: 'a', size: 1 })), new Error('gone'));
    await expect(fetched().then((answer) => answer.text())).rejects.toThrow();
  });
});
