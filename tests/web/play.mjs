// Plays games in a browser, by clicks, against a quick program, and looks for what axe-core calls serious.
//
//   apt-get install chromium npm && npm --prefix tests/web install
//   node tests/web/play.mjs [--pictures FOLDER] [GAME ...]
//
// Starts `build/zug web` on a free port (ZUG names another program, CHROMIUM another browser). Each game is played to
// its end, or for so many plies that every kind of move has come; the moves are drawn from a seed. With --pictures it
// writes what each game's page looks like, in light and dark, 1280 and 390 pixels wide, to a picture for each of the
// four; tests/web/pictures has those of all ten games.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const most = 40; // clicks that make moves, in a game that is not over before

// `line`: sites that are clicked first, with a person in both seats, and a text that the status then has.
const games = {
  'tic-tac-toe': {},
  chess: {
    line: ['e2 e4', 'e7 e5', 'g1 f3', 'b8 c6', 'f1 c4', 'f8 c5', 'e1 g1', 'h7 h5', 'a2 a4', 'h5 h4', 'a4 a5', 'h4 h3',
      'a5 a6', 'h3 g2', 'a6 b7', 'g2 f1 #'],
    shows: /g2f1|gxf1/,
  },
  'international-draughts': {},
  backgammon: {},
  hex: {},
  'chinese-checkers': {},
  kalah: {},
  'nine-mens-morris': {},
  go: {},
  2048: {},
};

let seed = 20;
const random = (n) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor((seed / 2147483648) * n);
};

async function startServer() {
  const server = spawn(process.env.ZUG ?? 'build/zug', ['web', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((done) => {
    server.stdout.on('data', (text) => done(/http:\S+/.exec(text)[0]));
  });
  return { server, address };
}

const status = (page) => page.textContent('#status');
const plies = (page) => page.locator('#variations button').count();
const isOver = async (page) => /\bwins?\b|drawn|over/.test(await status(page));

// The server's answer to the next move, and those of programs and chance, have been shown.
async function settle(page) {
  await page.waitForFunction(() => {
    const text = document.querySelector('#status').textContent;
    if (document.querySelector('#status').className === 'error') return true;
    const mayAct = document.querySelector('#board g.can, #choices button');
    return !/Thinking|Chance decides/.test(text) && (mayAct || /\bwins?\b|drawn|over/.test(text));
  }, null, { timeout: 60_000 });
}

async function click(page, site) {
  await page.locator(`#board g[data-site$=":${site}"]`).click({ timeout: 5000 });
}

// Clicks on until a move has been made: on a cell that can be chosen, or a button where the page asks which is meant.
async function playOne(page) {
  const before = await plies(page);
  for (let clicks = 0; clicks < 30; clicks++) {
    const choices = page.locator('#choices button');
    const cells = await page.locator('#board g.can').evaluateAll((all) => all.map((cell) => cell.dataset.site.split(':')[1]));
    const count = await choices.count();
    if (count > 0 && random(cells.length + count) < count) await choices.nth(random(count)).click();
    else if (cells.length > 0) await click(page, cells[random(cells.length)]);
    // Once a move is made nothing can be chosen until the next position is there.
    await page.waitForFunction(() => document.querySelector('#board .ring, #board g.can, #choices button'), null, { timeout: 20_000 })
      .catch(() => {});
    if ((await plies(page)) !== before) return;
  }
  throw new Error('thirty clicks made no move');
}

async function playLine(page, { line, shows }) {
  for (const select of await page.locator('#players select').all()) await select.selectOption('');
  for (const move of line) {
    await settle(page);
    const before = await plies(page);
    for (const site of move.split(' '))
      if (site === '#') await page.locator('#choices button').first().click();
      else await click(page, site);
    await page.waitForFunction((n) => document.querySelectorAll('#variations button').length > n, before, { timeout: 5000 });
  }
  await settle(page);
  if (!shows.test(await status(page))) throw new Error(`after the line the page says: ${await status(page)}`);
}

async function playGame(page, address, name, how) {
  await page.goto(`${address}?game=${name}`);
  await page.waitForSelector('#board svg');
  if (how.line) {
    await playLine(page, how);
    return `${how.line.length} moves of a line`;
  }
  const seats = await page.locator('#players select').all();
  for (const [i, select] of seats.entries()) await select.selectOption(i === 0 ? '' : 'auto:nodes=200,random=0.3');
  let moves = 0;
  for (; moves < most; moves++) {
    await settle(page);
    if ((await page.locator('#status').getAttribute('class')) === 'error') throw new Error(await status(page));
    if (await isOver(page)) break;
    await playOne(page);
  }
  return `${moves} moves of a person: ${await status(page)}`;
}

// That the position is exported as a PNG of the size that it should have, and not empty.
async function checkPng(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Position as PNG').click()]);
  const png = readFileSync(await download.path());
  const size = await page.evaluate(async (bytes) => {
    const image = document.createElement('img');
    image.src = `data:image/png;base64,${bytes}`;
    await image.decode();
    return [image.width, image.height];
  }, png.toString('base64'));
  if (!download.suggestedFilename().endsWith('.png') || size.some((side) => side < 640) || png.length < 10_000)
    throw new Error(`the PNG is ${size.join(' x ')} pixels in ${png.length} bytes`);
}

async function serious(page) {
  const results = await page.evaluate(() => window.axe.run(document));
  return results.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

// Pictures of pages, as addresses of data, by theme and width.
const pictures = new Map();

async function takePictures(page) {
  for (const [width, height] of [[1280, 900], [390, 844]])
    for (const theme of ['light', 'dark']) {
      await page.setViewportSize({ width, height });
      await page.selectOption('#theme', theme);
      await page.waitForTimeout(400);
      const kind = `${theme}-${width}`, image = await page.screenshot();
      pictures.set(kind, [...(pictures.get(kind) ?? []), `data:image/png;base64,${image.toString('base64')}`]);
    }
  await page.setViewportSize({ width: 1280, height: 900 });
}

// All games' pages beside each other, at half their size.
async function writePictures(browser, folder) {
  for (const [kind, images] of pictures) {
    const page = await browser.newPage({ viewport: { width: kind.endsWith('390') ? 1000 : 1930, height: 400 } });
    await page.setContent(images.map((image) => `<img src="${image}" style="zoom: .5">`).join(' '));
    await page.screenshot({ path: `${folder}/${kind}.jpg`, type: 'jpeg', quality: 55, fullPage: true });
    await page.close();
  }
}

async function main() {
  const words = process.argv.slice(2);
  const at = words.indexOf('--pictures');
  const [, folder] = at < 0 ? [] : words.splice(at, 2);
  const { server, address } = await startServer();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  // Only this page may run what its server didn't send.
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
  let failed = 0;
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  for (const name of words.length > 0 ? words : Object.keys(games)) {
    try {
      const told = await playGame(page, address, name, games[name] ?? {});
      await page.evaluate(() => document.querySelectorAll('details').forEach((part) => { part.open = true; }));
      await checkPng(page);
      await page.evaluate(axe);
      errors.push(...(await serious(page)));
      if (errors.length > 0) throw new Error(errors.splice(0).join('\n  '));
      console.log(`${name}: ${told}`);
      await page.evaluate(() => document.querySelectorAll('details').forEach((part, i) => { part.open = i < 2; }));
      if (folder) await takePictures(page);
    } catch (error) {
      failed++;
      console.log(`${name}: FAILED: ${error.message}`);
      await page.screenshot({ path: `/tmp/zug-web-${name}.png` });
    }
  }
  if (folder) await writePictures(browser, folder);
  await browser.close();
  server.kill('SIGINT');
  const code = await new Promise((done) => server.on('exit', done));
  if (code !== 130) console.log(`zug web ended with ${code}, not 130`);
  process.exit(failed > 0 || code !== 130 ? 1 : 0);
}

await main();
