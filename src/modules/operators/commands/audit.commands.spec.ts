import { systemContext } from '#kernel/context/request-context';
import { type OperatorInput } from '../operator-command';
import { AuditCommands } from './audit.commands';

// Only the type is needed. The mock keeps the module's imports from being loaded.
jest.mock('#modules/audit', () => ({ AuditChainService: class {} }));

const ID = '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10';

describe('audit verify', () => {
  const verified: (string | null)[] = [];
  const chain = {
    verify: (_: unknown, organizationId: string | null) => {
      verified.push(organizationId);
      return { events: 0, anchor: { position: '0' }, head: { position: '0', hash: Buffer.alloc(32) }, fault: null };
    },
  };
  const run = async (input: OperatorInput): Promise<void> => {
    const [command] = new AuditCommands(chain as never).commands;
    await command?.run(systemContext('test', { now: () => new Date(0) }, 'r'), input, () => undefined);
  };
  beforeEach(() => verified.splice(0));

  // red when: the id is used as it was typed, or an id is required
  it.each<[string, OperatorInput, string | null]>([
    ['an organization with an id in upper case', { organization_id: ID.toUpperCase() }, ID],
    ['account events when no id is given', {}, null],
  ])('verifies the chain of %s', async (_, input, id) => {
    await run(input);
    expect(verified).toEqual([id]);
  });

  // red when: the command has its own check of the id instead of the one that all commands use
  it('rejects an id that is not a UUID', async () => {
    await expect(run({ organization_id: 'x' })).rejects.toMatchObject({ errorCase: 'invalid_input' });
    expect(verified).toEqual([]);
  });
});
