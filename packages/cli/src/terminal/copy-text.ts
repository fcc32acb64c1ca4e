import { spawn } from 'node:child_process';

/** Programs that copy their input to the clipboard, in the order in which they are tried. */
const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, readonly (readonly string[])[]>>> = {
  darwin: [['pbcopy']],
  win32: [['clip']],
};
const OTHERS = [['wl-copy'], ['xclip', '-selection', 'clipboard'], ['xsel', '--clipboard', '--input']];

/** Copies a text to the clipboard. Resolves with whether a program succeeded. */
export async function copyText(text: string): Promise<boolean> {
  for (const [program = '', ...args] of PROGRAMS[process.platform] ?? OTHERS) {
    if (await pipedInto(program, args, text)) return true;
  }
  return false;
}

const pipedInto = (program: string, args: readonly string[], text: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
    child.stdin.on('error', () => undefined).end(text);
  });
