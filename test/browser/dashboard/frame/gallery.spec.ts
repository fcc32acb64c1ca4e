import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type Page } from 'playwright-core';
import { PAGE_HEADERS } from '../../../../src/app/dashboard/dashboard-headers';
import { launchChromium, type Look, LOOKS, READERS, Visit } from '../../browser';

const ROOT = path.resolve(__dirname, '../../../..');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
/** Each theme and each width once. */
const FEW_LOOKS = [LOOKS[0], LOOKS[3], LOOKS[4]] as readonly Look[];

let folder: string;
let server: Server;
let browser: Browser;
let address: string;
let visit: Visit;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'agate-gallery-'));
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js');
  const config = path.join(ROOT, 'packages/dashboard/src/gallery/vite.config.ts');
  await promisify(execFile)(process.execPath, [vite, 'build', '--config', config, '--outDir', folder], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const file = path.join(folder, pathname === '/' ? 'index.html' : pathname);
    if (!existsSync(file)) return response.writeHead(204).end();
    response.writeHead(200, { ...PAGE_HEADERS, 'Content-Type': TYPES[path.extname(file)] ?? 'text/plain' });
    return response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  address = `http://localhost:${(server.address() as AddressInfo).port}`;
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  server?.closeAllConnections();
  if (folder) rmSync(folder, { recursive: true });
});

afterEach(async () => {
  await visit.end();
  visit.expectNoProblems();
});

async function open(query = ''): Promise<Page> {
  visit = await Visit.start(browser, { reader: READERS.windows });
  await visit.open(`${address}/${query}`);
  await visit.page.getByRole('img', { name: 'QR code of the install link', exact: true }).waitFor();
  return visit.page;
}

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

/** The name of the element that has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent`,
  );

describe('The components of the dashboard', () => {
  it('are accessible and fit in every look', async () => {
    await open();
    await visit.expectAccessible('gallery-page');
  });

  it.each([
    ['dialog', 'Open dialog'],
    ['question', 'Open question'],
    ['typed', 'Open typed question'],
    ['secret', 'Open secret'],
    ['palette', 'Open palette'],
    ['menu', 'Account menu'],
    ['actions', 'More actions'],
    ['message', 'Show message'],
    ['problem', 'Show problem'],
    ['table', 'Show as table'],
  ])('are accessible and fit with the %s open', async (name, button) => {
    const page = await open();
    await press(page, button);
    await visit.expectAccessible(`gallery-${name}`, { looks: FEW_LOOKS });
  });
});

describe('A button that cannot be used', () => {
  it('keeps the focus, explains itself and does nothing', async () => {
    const page = await open();
    const button = page.getByRole('button', { name: 'Disabled primary', exact: true });
    expect(await button.isDisabled()).toBe(true);
    await button.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Disabled primary');
    const tip = page.getByRole('tooltip', { name: 'Needs the role “Manage releases”' }).or(page.getByRole('tooltip'));
    expect(await tip.first().textContent()).toBe('Needs the role “Manage releases”');
    await page.keyboard.press('Escape');
    await page.getByRole('tooltip').first().waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
  });
});

describe('A dialog', () => {
  it('closes by a press on the backdrop only when it begins and ends there', async () => {
    const page = await open();
    await press(page, 'Open dialog');
    const dialog = page.getByRole('dialog', { name: 'Promote 2.1.0 (210)', exact: true });
    const notes = dialog.getByRole('textbox', { name: 'Notes for testers', exact: true });
    const box = (await notes.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(20, 20);
    await page.mouse.up();
    expect(await dialog.isVisible()).toBe(true);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.up();
    expect(await dialog.isVisible()).toBe(true);
    await page.mouse.click(20, 20);
    await dialog.waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('Open dialog');
  });

  it('focuses its first field, and gives the focus back after Escape', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Open dialog', exact: true }).focus();
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('Channel');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('Open dialog');
  });

  it('that asks a question focuses Cancel, and the heading gets the focus when the opener has gone', async () => {
    const page = await open();
    await press(page, 'Goes away');
    expect(await focused(page)).toBe('Cancel');
    const question = page.getByRole('alertdialog', { name: 'Delete 2.1.0 (210)?', exact: true });
    await question.getByRole('button', { name: 'Delete build', exact: true }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('Rocket 2.1.0 (210)');
  });

  it('that requires a text acts only after the text was typed', async () => {
    const page = await open();
    await press(page, 'Open typed question');
    const question = page.getByRole('alertdialog', { name: 'Erase tess@example.com?', exact: true });
    const erase = question.getByRole('button', { name: 'Erase tester', exact: true });
    await erase.click({ force: true });
    expect(await question.isVisible()).toBe(true);
    await question.getByRole('textbox', { name: 'Type tess@example.com to confirm' }).fill('tess@example.com');
    await erase.click();
    await question.waitFor({ state: 'hidden' });
  });

  it('with a secret closes only after copying', async () => {
    const page = await open();
    await press(page, 'Open secret');
    const dialog = page.getByRole('dialog', { name: 'Copy your token now', exact: true });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(20, 20);
    await dialog.getByRole('button', { name: 'Done', exact: true }).click({ force: true });
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole('button', { name: 'Copy token', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    await dialog.getByRole('button', { name: 'Done', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    const search = page.getByRole('searchbox', { name: 'Search builds', exact: true });
    await search.focus();
    await page.keyboard.press('Control+V');
    expect(await search.inputValue()).toBe('ag_pat_4hK2vQ9sXw7bTnR3mZpL');
  });
});

describe('A copy button', () => {
  it('copies where the browser has no clipboard for scripts', async () => {
    const page = await open();
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })`);
    await page.evaluate(`document.addEventListener('copy', () => { window.copied = getSelection().toString(); })`);
    await press(page, 'Open secret');
    await press(page, 'Copy token');
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('window.copied')).toBe('ag_pat_4hK2vQ9sXw7bTnR3mZpL');
    expect(await focused(page)).toBe('Copy token');
  });
});

describe('A menu', () => {
  it('moves by arrows and first letters, and returns the focus on Escape', async () => {
    const page = await open();
    const button = page.getByRole('button', { name: 'Account menu', exact: true });
    await button.focus();
    await page.keyboard.press('ArrowDown');
    const menu = page.getByRole('menu', { name: 'Account menu', exact: true });
    await menu.waitFor();
    const item = (role: 'menuitem' | 'menuitemradio', name: string) => menu.getByRole(role, { name, exact: true });
    await expectFocus(page, 'System');
    await page.keyboard.press('ArrowUp');
    await expectFocus(page, 'Account');
    await page.keyboard.press('l');
    await expectFocus(page, 'Light');
    await page.keyboard.press('l');
    await expectFocus(page, 'Log outG X');
    await page.keyboard.press('ArrowDown');
    await expectFocus(page, 'Account');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    expect(await button.and(page.locator(':focus')).count()).toBe(1);
    await button.click();
    await item('menuitemradio', 'Dark').click();
    await menu.waitFor({ state: 'hidden' });
    await button.click();
    expect(await item('menuitemradio', 'Dark').getAttribute('aria-checked')).toBe('true');
    await button.click();
    await menu.waitFor({ state: 'hidden' });
  });

  // red when: the menu is placed only when it opens
  it('stays beside its button when the window changes its size', async () => {
    const page = await open();
    await press(page, 'More actions');
    const menu = page.getByRole('menu', { name: 'More actions', exact: true });
    await menu.waitFor();
    await visit.resize(390, 'light');
    const [button, box] = await Promise.all(
      [page.getByRole('button', { name: 'More actions', exact: true }), menu].map((part) => part.boundingBox()),
    );
    const distance = Math.min(
      Math.abs(box!.y - button!.y - button!.height),
      Math.abs(box!.y + box!.height - button!.y),
    );
    expect(distance).toBeLessThan(8);
    expect(box!.x).toBeGreaterThanOrEqual(0);
    expect(box!.x + box!.width).toBeLessThanOrEqual(390);
  });

  // red when: the name of the button is shown while its menu is open
  it('is not covered by the name of its button', async () => {
    const page = await open();
    const button = page.getByRole('button', { name: 'More actions', exact: true });
    const name = page.getByRole('tooltip', { name: 'More actions', exact: true });
    await button.hover();
    await name.waitFor();
    await button.click();
    await page.getByRole('menu', { name: 'More actions', exact: true }).waitFor();
    await name.waitFor({ state: 'hidden' });
    await page.mouse.move(0, 0);
    await button.hover();
    expect(await name.isVisible()).toBe(false);
  });
});

const expectFocus = (page: Page, text: string): Promise<unknown> =>
  page.waitForFunction(`document.activeElement.textContent.trim() === ${JSON.stringify(text)}`);

describe('The palette', () => {
  it('filters while typing, moves by arrows and acts on Enter', async () => {
    const page = await open();
    await press(page, 'Open palette');
    const dialog = page.getByRole('dialog', { name: 'Search or jump to', exact: true });
    const box = dialog.getByRole('combobox', { name: 'Search or jump to', exact: true });
    const active = (): Promise<string | null> => dialog.locator('[aria-selected="true"]').textContent();
    await dialog.getByRole('listbox', { name: 'Results', exact: true }).waitFor();
    await page.keyboard.press('ArrowUp');
    expect(await active()).toContain('Upload build');
    await box.fill('te');
    expect(await active()).toContain('Testers');
    await box.fill('nonsense');
    await dialog.getByRole('status').filter({ hasText: 'Nothing matches.' }).waitFor();
    await box.fill('');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Opened Channels' }).waitFor();
    expect(await focused(page)).toBe('Open palette');
  });

  // red when: nothing listens to the focus, or to its loss; the backdrop does not close it, or closes it after a press that began inside
  it('has the focus until it closes, and a press beside it only closes it', async () => {
    const page = await open();
    await press(page, 'Open palette');
    const dialog = page.getByRole('dialog', { name: 'Search or jump to', exact: true });
    await dialog.waitFor();
    await page.evaluate(`document.querySelector('main button, button').focus()`);
    await page.keyboard.press('Tab');
    await page.keyboard.type('te');
    expect(await dialog.getByRole('combobox').inputValue()).toBe('te');
    await page.evaluate(`document.activeElement.blur()`);
    await page.waitForFunction(`document.activeElement.role === 'combobox'`);
    const box = await dialog.getByRole('combobox').boundingBox();
    await page.mouse.move(box!.x + 20, box!.y + 10);
    await page.mouse.down();
    await page.mouse.move(8, 400);
    await page.mouse.up();
    expect(await dialog.isVisible()).toBe(true);
    await page.mouse.click(8, 400);
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Open palette');
  });
});

describe('A form', () => {
  it("shows the browser's validation errors at the fields, in the language of the page", async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'Project name', exact: true }).fill('');
    await page.getByRole('textbox', { name: 'E-mail address', exact: true }).fill('ann');
    await press(page, 'Create project');
    expect(await focused(page)).toBe('Project name');
    await page.getByText('Fill in this field.').waitFor();
    await page.getByText('Enter an e-mail address, for example ann@example.com.').waitFor();
    await page.keyboard.type('R');
    await page.getByText('Fill in this field.').waitFor({ state: 'hidden' });
  });

  it("shows the service's validation errors at the fields, and other errors in an alert", async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'E-mail address', exact: true }).fill('ann@example.com');
    await press(page, 'Create project');
    const name = page.getByRole('textbox', { name: 'Project name', exact: true });
    await page.getByText('There is a project of this name. Choose another one.').waitFor();
    expect(await focused(page)).toBe('Project name');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    const alert = page.getByRole('alert').filter({ hasText: 'The organization is full. Remove a project first.' });
    expect(await alert.textContent()).toContain('Request id 0190a5d2-7c1e-7b3a-9f1d-2f6a8c1b4e77');
    await name.fill('Rocket 2');
    expect(await name.getAttribute('aria-invalid')).toBe(null);
  });
});

describe('A table', () => {
  it('selects rows one by one and all together', async () => {
    const page = await open();
    const all = page.getByRole('checkbox', { name: 'Select all', exact: true });
    const bar = page.getByRole('region', { name: 'Selection', exact: true });
    await page.getByRole('checkbox', { name: 'Select 2.1.0 (210)', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Select 2.0.9 (209)', exact: true }).check();
    await bar.getByText('2 selected').waitFor();
    expect(await page.evaluate<boolean>(`document.querySelector('thead input').indeterminate`)).toBe(true);
    await visit.expectAccessible('gallery-selection', { looks: FEW_LOOKS.slice(0, 1) });
    await all.click();
    await bar.getByText('3 selected').waitFor();
    await all.click();
    await bar.waitFor({ state: 'hidden' });
  });

  it('keeps its roles where rows are blocks', async () => {
    const page = await open();
    await visit.resize(390, 'light');
    const table = page.getByRole('table', { name: 'Builds', exact: true });
    expect(await table.getByRole('row').count()).toBe(4);
    expect(await table.getByRole('columnheader').allTextContents()).toContain('Uploaded');
    await table.getByRole('rowheader').filter({ hasText: '2.0.8 (208)' }).waitFor();
  });
});

describe('A chart', () => {
  it('is also a table', async () => {
    const page = await open();
    const figure = page.getByRole('figure', { name: 'Usage by day', exact: true });
    await figure.getByRole('button', { name: 'Show as table', exact: true }).click();
    const table = figure.getByRole('table', { name: 'Usage by day', exact: true });
    expect(await table.getByRole('row').count()).toBe(31);
    await figure.getByRole('button', { name: 'Show as chart', exact: true }).click();
    await figure.getByRole('slider').first().waitFor();
  });
});

describe('The generic words', () => {
  it('are in the current language', async () => {
    const page = await open('?lang=de');
    await page.getByRole('button', { name: 'Als Tabelle zeigen', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Erneut versuchen', exact: true }).waitFor();
    await page.getByText('vor 1 Stunde').waitFor();
    await press(page, 'Open question');
    await page.getByRole('button', { name: 'Abbrechen', exact: true }).waitFor();
  });
});
