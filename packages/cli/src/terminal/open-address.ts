import { spawn } from 'node:child_process';

/** The program that opens an address, and its arguments. */
function openerOf(platform: NodeJS.Platform, address: string): readonly [string, readonly string[]] {
  if (platform === 'darwin') return ['open', [address]];
  // The shell of Windows would interpret characters of the address.
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', address]];
  return ['xdg-open', [address]];
}

/** Opens an address in the browser. Resolves with whether a browser was started. */
export function openAddress(address: string): Promise<boolean> {
  if (!/^https?:\/\//.test(address)) return Promise.resolve(false);
  const [program, args] = openerOf(process.platform, address);
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
