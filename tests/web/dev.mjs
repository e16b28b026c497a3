// Serves the page from its modules, unjoined, and passes everything else to a running server. After a change in
// `server/web` it is enough to reload the page.
//
//   node tests/web/dev.mjs --server http://127.0.0.1:7780 --port 7790

import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { readFile, readdir } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { server: { type: 'string', default: 'http://127.0.0.1:7780' }, port: { type: 'string', default: '7790' } },
});
const SERVER = new URL(values.server);
const FOLDER = fileURLToPath(new URL('../../server/web/', import.meta.url));
const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/manifest+json',
};
const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
  + "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
const PAGES = /^\/(?:|rules(?:\/[^/]*)?|settings|finished|archive|leaderboards|join|watch|account|friends|messages|moderation|login|recover|register|seeks\/[^/.]+|games\/[^/.]+|players\/[^/.]+)$/;

/** The page with a tag for each style sheet and for the first module in place of the joined files. */
async function page() {
  const html = await readFile(join(FOLDER, 'index.html'), 'utf8');
  const sheets = (await readdir(join(FOLDER, 'style'))).filter((name) => name.endsWith('.css'));
  const order = ['tokens.css', 'base.css', 'layout.css'];
  sheets.sort((a, b) => (order.indexOf(a) + 1 || 9) - (order.indexOf(b) + 1 || 9) || a.localeCompare(b));
  const links = sheets.map((name) => `<link rel="stylesheet" href="/style/${name}">`).join('\n');
  return html.replace('{{styles}}', links)
    .replace('{{script}}', '<script type="module" src="/src/main.js"></script>');
}

/** Passes a request to the server, with the address that the browser used. */
function pass(incoming, answer) {
  const options = { host: SERVER.hostname, port: SERVER.port, path: incoming.url, method: incoming.method, headers: incoming.headers };
  const passed = request(options, (response) => {
    answer.writeHead(response.statusCode, response.headers);
    response.pipe(answer);
  });
  passed.on('error', () => answer.writeHead(502).end());
  incoming.pipe(passed);
}

const server = createServer(async (incoming, answer) => {
  const { pathname } = new URL(incoming.url, 'http://page');
  const headers = { 'Content-Security-Policy': CSP, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
  if (PAGES.test(pathname)) return answer.writeHead(200, { ...headers, 'Content-Type': TYPES['.html'] }).end(await page());
  const isNowhere = !pathname.includes('.') && !/^\/(?:api|unsubscribe)\//.test(pathname) && incoming.headers.accept?.includes('text/html');
  if (isNowhere) return answer.writeHead(404, { ...headers, 'Content-Type': TYPES['.html'] }).end(await page());
  const type = TYPES[extname(pathname)];
  if (!type) return pass(incoming, answer);
  try {
    const bytes = await readFile(join(FOLDER, normalize(pathname)));
    answer.writeHead(200, { ...headers, 'Content-Type': type }).end(bytes);
  } catch {
    answer.writeHead(404).end();
  }
});
server.on('upgrade', (incoming, socket, head) => {
  const upstream = connect(Number(SERVER.port), SERVER.hostname, () => {
    const lines = incoming.rawHeaders.flatMap((text, i, all) => (i % 2 ? [] : [`${text}: ${all[i + 1]}`]));
    upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  for (const end of [socket, upstream]) end.on('error', () => { socket.destroy(); upstream.destroy(); });
});
server.listen(Number(values.port), '127.0.0.1', () => console.log(`http://127.0.0.1:${values.port}/`));
