// Draws the touch icon from the page's icon, since iOS takes no SVG: `node tests/web/icon.mjs`.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const WEB = new URL('../../server/web/', import.meta.url);
const SIZE = 180;
/** iOS cuts the corners itself, and shows what is transparent as black. */
const GROUND = '#1a1c1f';

const svg = await readFile(new URL('icon.svg', WEB), 'utf8');
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
await page.setContent(`<body style="margin:0;background:${GROUND}">${svg.replace('<svg', '<svg style="display:block"')}`);
await page.screenshot({ path: fileURLToPath(new URL('touch-icon.png', WEB)) });
await browser.close();
