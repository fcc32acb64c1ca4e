import { encode } from 'uqr';
import { type Context } from '../context';

/** Black on white in 256 colours, so that the code is readable on dark and light terminals. */
const BLACK_ON_WHITE = '\u001b[38;5;16;48;5;231m';
const RESET = '\u001b[0m';
/** Light modules around the code, which scanners need. */
const QUIET_ZONE = 4;
/** Two rows of modules in one line of text, keyed by whether the upper and the lower module are painted. */
const BLOCKS = { '00': ' ', '01': '▄', '10': '▀', '11': '█' } as const;

/**
 * A QR code as lines for a terminal. Without colours the light modules are painted, as most terminals and logs are dark; scanners also read
 * the negative, which a light one shows.
 */
export function terminalQr(text: string, hasColors: boolean): string {
  const { data } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const paint = (isDark: boolean): 0 | 1 => (isDark === hasColors ? 1 : 0);
  const lines: string[] = [];
  for (let row = 0; row < data.length; row += 2) {
    const cells = (data[row] ?? []).map((upper, column) => {
      const lower = data[row + 1]?.[column] ?? false;
      return BLOCKS[`${paint(upper)}${paint(lower)}`];
    });
    lines.push(hasColors ? `${BLACK_ON_WHITE}${cells.join('')}${RESET}` : cells.join(''));
  }
  return lines.join('\n');
}

/** Shows a QR code on standard error: in a terminal or in the log of a CI. Standard output carries the result only. */
export function showQr({ process, output }: Context, address: string): void {
  process.stderr.write(`${terminalQr(address, output.hasColors)}\n`);
}

/** A picture of a QR code. */
export function svgQr(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const box = `0 0 ${size} ${size}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${squares.join('')}"/></svg>\n`;
}
