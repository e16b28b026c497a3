// Makes the picture of the page in README.md: a game in progress with a draft on the board.
//
//   cargo build --release --workspace --bins
//   PAGE_SERVER=target/release/tilewire-server PAGE_CLIENT=target/release/tilewire node tests/web/pictures.mjs

import { fileURLToPath } from 'node:url';
import { Server, Visitor, WHOLE_CHROMIUM, startBrowser } from './browser/harness.mjs';
import { command, findPlay, laid, look, playByCommand, turn } from './browser/player.mjs';

const PICTURE = fileURLToPath(new URL('../../docs/pictures/page.png', import.meta.url));
const SIZE = { width: 1200, height: 760 };
const TURNS = 7;

const server = await Server.start();
const browser = await startBrowser(WHOLE_CHROMIUM);
const visitor = await Visitor.come(browser, server, { size: SIZE, colorScheme: 'light' });
const page = await visitor.open('/settings');
await page.getByRole('button', { name: 'Change', exact: true }).click();
await page.getByRole('dialog').getByRole('textbox').fill('Anna');
await page.keyboard.press('Enter');
await page.goto(`${server.url}/`);
await page.getByRole('button', { name: 'Play a bot now' }).click();
for (let turns = 0; turns < TURNS; turns++) {
  const seen = await turn(page);
  const play = findPlay(seen);
  if (play) await playByCommand(page, play);
  else await command(page, 'pass');
  await page.waitForFunction(() => document.querySelector('.seats > .seat:last-child.turn') === null);
}
const seen = await turn(page);
const squares = laid(findPlay(seen), seen.cols);
await page.locator(`.board [data-square="${squares[0][0]}"]`).click();
if (squares[1] && squares[1][0] - squares[0][0] >= seen.cols) await page.keyboard.press('Space');
for (const [, face] of squares) await page.keyboard.press(face === face.toLowerCase() ? `Shift+${face.toUpperCase()}` : face);
await look(page);
await page.screenshot({ path: PICTURE });
await browser.close();
await server.close();
