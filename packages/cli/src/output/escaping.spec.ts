import { workflowCommands } from '../../test/outputs/github-file';
import { jsonWithoutCommands, textWithoutCommands } from './escaping';

const COMMANDS =
  '::error::one\n  ::set-output name=x::y\n##[error]two\nsay ##vso[task.complete result=Failed]z ##teamcity[x]';

describe('textWithoutCommands', () => {
  it('leaves no command that a CI would run', () => {
    const text = textWithoutCommands(COMMANDS);
    expect(workflowCommands(COMMANDS)).toHaveLength(3);
    expect(workflowCommands(text)).toEqual([]);
    expect(text).not.toMatch(/##\w*\[/);
  });

  it('leaves other text as it is', () => {
    expect(textWithoutCommands('a::b # ## heading [x]\n: y')).toBe('a::b # ## heading [x]\n: y');
  });
});

describe('jsonWithoutCommands', () => {
  it('is the same JSON without commands', () => {
    const json = JSON.stringify({ notes: COMMANDS });
    expect(jsonWithoutCommands(json)).not.toMatch(/##\w*\[/);
    expect(JSON.parse(jsonWithoutCommands(json))).toEqual({ notes: COMMANDS });
  });
});
