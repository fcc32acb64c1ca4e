import { systemContext } from '#kernel/context/request-context';
import { AuditCommands } from './audit-commands';
import { type OperatorInput } from '../operator-command';

// Only its type is needed here, not all that it imports.
jest.mock('#modules/audit', () => ({ AuditChainService: class {} }));

const ID = '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10';

describe('audit verify', () => {
  const asked: (string | null)[] = [];
  const chain = {
    verify: (_: unknown, organizationId: string | null) => {
      asked.push(organizationId);
      return { events: 0, anchor: { position: '0' }, head: { position: '0', hash: Buffer.alloc(32) }, fault: null };
    },
  };
  const run = async (input: OperatorInput): Promise<void> => {
    const [command] = new AuditCommands(chain as never).commands;
    await command?.run(systemContext('test', { now: () => new Date(0) }, 'r'), input, () => undefined);
  };
  beforeEach(() => asked.splice(0));

  // red when: the id is taken as it was typed; or one is wanted
  it.each<[string, OperatorInput, string | null]>([
    ['an organization, however its id is written', { organization_id: ID.toUpperCase() }, ID],
    ['accounts', {}, null],
  ])('follows the chain of %s', async (_, input, id) => {
    await run(input);
    expect(asked).toEqual([id]);
  });

  // red when: what is typed is checked here, and not where it is for every command
  it('refuses what is no id, as every command does', async () => {
    await expect(run({ organization_id: 'x' })).rejects.toMatchObject({ errorCase: 'invalid_input' });
    expect(asked).toEqual([]);
  });
});
