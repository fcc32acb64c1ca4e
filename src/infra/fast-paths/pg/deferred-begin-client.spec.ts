import { EventEmitter } from 'node:events';
import { type ClientConfig, type QueryResult } from 'pg';
import { DeferredBeginClient } from './deferred-begin-client';

/** A fake connection to PostgreSQL, which records what is sent. */
class FakeConnection extends EventEmitter {
  readonly stream = {};
  readonly parsedStatements: Record<string, string> = {};
  readonly submittedNamedStatements = {};
  sent: string[] = [];

  query = (text: string) => this.sent.push(text);
  parse = ({ text }: { text: string }) => this.sent.push(`parse ${text}`);
  bind = () => this.sent.push('bind');
  describe = () => this.sent.push('describe');
  execute = () => this.sent.push('execute');
  sync = () => this.sent.push('sync');

  respond(...messages: readonly [name: string, message?: object][]): void {
    for (const [name, message = {}] of messages) this.emit(name, message);
  }
  ready(status: 'I' | 'T' | 'E'): void {
    this.respond(['readyForQuery', { status }]);
  }
  takeSent(): string[] {
    return this.sent.splice(0);
  }
}

const begun = ['commandComplete', { text: 'START TRANSACTION' }] as [string, object];
const updated = ['commandComplete', { text: 'UPDATE 3' }] as [string, object];

describe('DeferredBeginClient', () => {
  let connection: FakeConnection;
  let send: (text: string, values?: unknown[], name?: string) => Promise<QueryResult>;

  beforeEach(() => {
    connection = new FakeConnection();
    const client = new DeferredBeginClient({ connection } as ClientConfig);
    // The listeners of the library are attached by `connect`, which would open a socket.
    (client as unknown as { _attachListeners: (to: FakeConnection) => void })._attachListeners(connection);
    connection.ready('I');
    send = client.query.bind(client) as never;
  });

  it('sends BEGIN and the first statement with one Sync, and returns the result of the statement', async () => {
    await send('START TRANSACTION');
    expect(connection.takeSent()).toEqual([]);
    const result = send('UPDATE a SET b = $1', [1]);
    const begin = ['parse START TRANSACTION', 'bind', 'execute'];
    expect(connection.takeSent()).toEqual([
      ...begin,
      'parse UPDATE a SET b = $1',
      'bind',
      'describe',
      'execute',
      'sync',
    ]);
    connection.respond(begun, updated);
    connection.ready('T');
    expect(await result).toMatchObject({ command: 'UPDATE', rowCount: 3 });
  });

  // red when: the next statement of the connection begins a transaction that nothing ends
  it.each(['COMMIT', 'ROLLBACK'])(
    'sends nothing for a transaction that has no statement before its %s',
    async (end) => {
      await send('START TRANSACTION');
      await send(end);
      expect(connection.takeSent()).toEqual([]);
      void send('SELECT 1');
      expect(connection.takeSent()).toEqual(['SELECT 1']);
    },
  );

  // red when: the statement is sent with the BEGIN, whose ParseComplete the library takes for that of the statement
  it('waits for BEGIN before it prepares a named statement', async () => {
    await send('START TRANSACTION');
    void send('SELECT $1::int', [1], 'one');
    expect(connection.takeSent()).toEqual(['START TRANSACTION']);
    connection.respond(begun);
    connection.ready('T');
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    expect(connection.takeSent()[0]).toBe('parse SELECT $1::int');
  });

  it('does not send a text that may have several statements when BEGIN fails', async () => {
    await send('START TRANSACTION');
    const result = send('DELETE FROM a');
    connection.respond(['errorMessage', new Error('canceled')]);
    connection.ready('I');
    await expect(result).rejects.toThrow('canceled');
    expect(connection.takeSent()).toEqual(['START TRANSACTION']);
  });

  describe('with a prepared statement', () => {
    const read = (): Promise<QueryResult> => send('SELECT a FROM b WHERE c = $1', [1], 'one');
    const parsed = ['parseComplete'] as [string];
    const columns = ['rowDescription', { fields: [{ name: 'a', dataTypeID: 23, format: 'text' }] }] as [string, object];
    const row = ['dataRow', { fields: ['7'] }] as [string, object];
    const done = ['commandComplete', { text: 'SELECT 1' }] as [string, object];

    // red when: columns are requested each time, or the rows of the second result have none
    it('requests the columns of the result once', async () => {
      for (const [sent, received] of [
        [
          ['parse SELECT a FROM b WHERE c = $1', 'bind', 'describe', 'execute', 'sync'],
          [parsed, columns],
        ],
        [['bind', 'execute', 'sync'], []],
      ] as const) {
        const result = read();
        expect(connection.takeSent()).toEqual(sent);
        connection.respond(...received, row, done);
        connection.ready('I');
        expect(await result).toMatchObject({ rows: [{ a: 7 }], rowCount: 1, fields: [{ name: 'a' }] });
      }
    });

    // red when: columns are kept of a result that has not arrived
    it('requests the columns again after an error', async () => {
      const failed = read();
      connection.respond(parsed, ['errorMessage', new Error('canceled')]);
      connection.ready('I');
      await expect(failed).rejects.toThrow('canceled');
      connection.takeSent();
      void read();
      expect(connection.takeSent()).toEqual(['bind', 'describe', 'execute', 'sync']);
    });
  });
});
