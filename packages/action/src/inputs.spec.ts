import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { argumentsOf, linesOf, variablesOf } from './inputs';

const { inputs } = load(readFileSync(path.join(__dirname, '../action.yml'), 'utf8')) as {
  inputs: Record<string, object>;
};

/** The environment variables by which a runner passes inputs. */
const step = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));

describe('The inputs of the action', () => {
  it('become options of agate upload', () => {
    const values = {
      channel: 'Beta\nQA, Sales\n',
      notes: '- one\n- two',
      'build-number': '42',
      silent: 'true',
      'expect-installable': 'false',
      'fail-on-warning': 'debug_signed',
    };
    expect(argumentsOf(step(values))).toEqual([
      'upload',
      '--json',
      '--channel=Beta',
      '--channel=QA, Sales',
      '--notes=- one\n- two',
      '--build-number=42',
      '--silent',
      '--fail-on-warning=debug_signed',
    ]);
  });

  it('are left out when they are empty', () => {
    const empty = Object.fromEntries(Object.keys(inputs).map((name) => [name, '']));
    expect(argumentsOf(step(empty))).toEqual(['upload', '--json']);
  });

  // red when: an input is added to action.yml and not to inputs.ts
  it.each(Object.keys(inputs))('include %s, which has an effect', (name) => {
    const others = ['file', 'token', 'comment', 'github-token'];
    expect(argumentsOf(step({ [name]: 'true' })).length > 2).toBe(!others.includes(name));
  });

  it('reject a switch that is neither true nor false', () => {
    expect(() => argumentsOf(step({ silent: 'yes' }))).toThrow('The input silent is "yes". Use true or false.');
  });

  it('keep the credential out of the arguments', () => {
    const environment = { ...step({ token: 'ag_prj_secret', url: 'https://agate.example.com' }), HOME: '/root' };
    expect(argumentsOf(environment).join(' ')).not.toContain('secret');
    expect(variablesOf(environment)).toEqual({
      HOME: '/root',
      AGATE_TOKEN: 'ag_prj_secret',
    });
  });

  it('name one file per line', () => {
    expect(linesOf(step({ file: ' a.apk \n\nb c.ipa\n' }), 'file')).toEqual(['a.apk', 'b c.ipa']);
  });
});
