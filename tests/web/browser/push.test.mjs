// Notifications while the page is closed. A browser without a network reaches no push service, so the test stands for it: it
// answers the page that subscribes, and hands pushes to the service worker.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server, WHOLE_CHROMIUM, eventually, prepareScene } from './harness.mjs';
import { registered } from './people.mjs';
import { leaveAll } from './tables.mjs';

const ENDPOINT = 'https://push.example/send/abc';
/** The keys of a browser: those of the example in RFC 8291. */
const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const STATE = { here: 'Notifications are on in this browser.', not: 'Notifications are off in this browser.' };

const scene = prepareScene('[push]\ncontact = "mailto:tiles@example.org"\n', undefined, undefined, WHOLE_CHROMIUM);

/** Stands for the push service of a browser, in each page; the subscription outlives a reload. Storage has its endpoint. */
function standIn({ endpoint: first, keys }) {
  const subscriptionAt = (endpoint) => ({
    endpoint, toJSON: () => ({ endpoint, expirationTime: null, keys }),
    unsubscribe: async () => {
      localStorage.removeItem('test.subscribed');
      return true;
    },
  });
  PushManager.prototype.getSubscription = async () => {
    const endpoint = localStorage.getItem('test.subscribed');
    return endpoint === null ? null : subscriptionAt(endpoint);
  };
  PushManager.prototype.subscribe = async (options) => {
    window.askedFor = options;
    localStorage.setItem('test.subscribed', first);
    return subscriptionAt(first);
  };
}

/** Runs in the service worker: the browser has ended the subscription. Returns the options of the one that is asked for. */
async function endByBrowser() {
  let asked;
  PushManager.prototype.subscribe = async (options) => void (asked = options);
  let done;
  const waitUntil = (promise) => void (done = promise);
  self.dispatchEvent(Object.assign(new Event('pushsubscriptionchange'), { waitUntil, newSubscription: null }));
  await done;
  return asked;
}

/** Waits for the next subscription that a page tells the server, and for the answer; returns it. */
async function toldBy(page) {
  const answer = await page.waitForResponse((told) => (
    told.request().method() === 'POST' && told.url().endsWith('/api/v1/account/pushes/devices')));
  assert.equal(answer.status(), 201);
  return answer.request().postDataJSON();
}

/** The part of the account page. */
const part = (page) => page.locator('details').filter({ has: page.getByText('Notifications', { exact: true }) });

async function openPart(page) {
  await part(page).locator('summary').click();
  await part(page).getByRole('status').filter({ hasText: /\S/ }).waitFor();
}

test('a player asks for notifications, chooses kinds, and ends them', async () => {
  const ida = await registered(scene, 'ida');
  await ida.context.addInitScript(standIn, { endpoint: ENDPOINT, keys: KEYS });
  await ida.context.grantPermissions(['notifications'], { origin: scene.server.url });
  const page = await ida.open('/account');
  await openPart(page);
  await page.getByText(STATE.not).waitFor();
  assert.equal(await page.evaluate(() => window.askedFor), undefined, 'nothing is asked before a press');

  const sending = toldBy(page);
  await page.getByRole('button', { name: 'Notify me in this browser' }).click();
  const sent = await sending;
  const asked = await page.evaluate(() => window.askedFor);
  assert.deepEqual(asked, { userVisibleOnly: true, applicationServerKey: sent.key });
  assert.match(sent.key, /^[\w-]{87}$/);
  assert.deepEqual([sent.endpoint, sent.keys], [ENDPOINT, KEYS]);
  assert.ok(sent.label.length > 0);
  await page.getByText(STATE.here).waitFor();
  await page.getByText('no notifications yet').waitFor();

  await part(page).getByRole('checkbox', { name: 'when a game ends' }).uncheck();
  await page.getByText('Saved.').waitFor();
  await page.reload();
  await openPart(page);
  await page.getByText(STATE.here).waitFor();
  const box = (name) => part(page).getByRole('checkbox', { name });
  assert.equal(await box('when a game ends').isChecked(), false);
  assert.equal(await box('when it’s my turn').isChecked(), true);

  await part(page).getByRole('button', { name: `Remove ${sent.label}` }).click();
  await page.getByText(STATE.not).waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('test.subscribed')), null);
  await leaveAll([ida]);
});

test('a browser whose subscription is lost can ask again', async () => {
  const jon = await registered(scene, 'jon');
  await jon.context.addInitScript(standIn, { endpoint: `${ENDPOINT}/jon`, keys: KEYS });
  await jon.context.grantPermissions(['notifications'], { origin: scene.server.url });
  const page = await jon.open('/account');
  await openPart(page);
  const start = page.getByRole('button', { name: 'Notify me in this browser' });
  await start.click();
  await page.getByText(STATE.here).waitFor();
  await page.evaluate(() => localStorage.removeItem('test.subscribed'));
  await page.reload();
  await openPart(page);
  await page.getByText(STATE.not).waitFor();
  await start.click();
  await page.getByText(STATE.here).waitFor();
  assert.equal(await part(page).locator('li').count(), 1, 'the session has one browser');
  await leaveAll([jon]);
});

test('the server hears of a subscription that the browser replaces', async () => {
  const mia = await registered(scene, 'mia');
  await mia.context.addInitScript(standIn, { endpoint: `${ENDPOINT}/1`, keys: KEYS });
  await mia.context.grantPermissions(['notifications'], { origin: scene.server.url });
  const page = await mia.open('/account');
  const worker = mia.context.serviceWorkers()[0] ?? await mia.context.waitForEvent('serviceworker');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  assert.equal(await worker.evaluate(endByBrowser), undefined, 'nobody has asked for notifications');
  await openPart(page);
  const first = toldBy(page);
  await page.getByRole('button', { name: 'Notify me in this browser' }).click();
  const { key } = await first;
  await page.getByText(STATE.here).waitFor();

  // An open page tells the server at once.
  const replace = (endpoint) => page.evaluate((made) => localStorage.setItem('test.subscribed', made), endpoint);
  const second = toldBy(page);
  await replace(`${ENDPOINT}/2`);
  assert.deepEqual(await worker.evaluate(endByBrowser), { userVisibleOnly: true, applicationServerKey: key });
  const told = await second;
  assert.deepEqual([told.key, told.endpoint, told.keys], [key, `${ENDPOINT}/2`, KEYS]);

  // A page tells it when it opens.
  const third = toldBy(page);
  await replace(`${ENDPOINT}/3`);
  await page.reload();
  assert.equal((await third).endpoint, `${ENDPOINT}/3`);
  await openPart(page);
  await page.getByText(STATE.here).waitFor();
  assert.equal(await part(page).locator('li').count(), 1, 'the session has one browser');

  // The page tells no subscription twice, and none after the player has ended notifications.
  await page.getByRole('button', { name: 'Stop notifications in this browser' }).click();
  await page.getByText(STATE.not).waitFor();
  await replace(`${ENDPOINT}/4`);
  assert.equal(await worker.evaluate(endByBrowser), undefined, 'nothing is asked for any more');
  const posts = mia.requests.filter((url) => url.endsWith('/api/v1/account/pushes/devices'));
  assert.equal(posts.length, 3);
  await leaveAll([mia]);
});

test('the service worker shows what is pushed, and opens the game', async () => {
  const kim = await registered(scene, 'kim');
  await kim.context.grantPermissions(['notifications'], { origin: scene.server.url });
  const page = await kim.open('/account');
  const worker = kim.context.serviceWorkers()[0] ?? await kim.context.waitForEvent('serviceworker');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const client = await kim.context.newCDPSession(page);
  const registrations = [];
  client.on('ServiceWorker.workerRegistrationUpdated', (told) => registrations.push(...told.registrations));
  await client.send('ServiceWorker.enable');
  const scope = `${scene.server.url}/`;
  const own = () => registrations.find(({ scopeURL, isDeleted }) => scopeURL === scope && !isDeleted);
  await eventually(() => own() !== undefined, 'the browser names the registration');
  const push = (data) => client.send('ServiceWorker.deliverPushMessage', {
    origin: scene.server.url, registrationId: own().registrationId, data,
  });
  const shown = () => page.evaluate(async () => {
    const { getNotifications } = ServiceWorkerRegistration.prototype;
    const notes = await getNotifications.call(await navigator.serviceWorker.ready);
    return notes.map(({ title, body, tag, data }) => ({ title, body, tag, path: data.path }));
  });
  const said = { title: 'Your turn against ben', body: 'Play until tomorrow.', path: '/games/abc', tag: 'game-abc' };
  // A push to a worker that is just starting can be lost. It has a tag, so a repeated one replaces the first.
  const arrives = (data, isShown, what) => eventually(async () => {
    await push(data);
    return isShown(await shown());
  }, what);
  await arrives(JSON.stringify(said), (notes) => notes.length === 1, 'the notification is shown');
  assert.deepEqual(await shown(), [said]);
  // A newer one about the same game replaces it.
  const newer = { ...said, title: 'You have won against ben' };
  await arrives(JSON.stringify(newer), ([note]) => note?.title === newer.title, 'the newer notification is shown');
  assert.deepEqual(await shown(), [newer]);
  await arrives('no JSON', (notes) => notes.length === 2, 'a push that cannot be read is shown too');

  const opened = await worker.evaluate(async () => {
    const paths = [];
    self.clients.openWindow = async (url) => void paths.push(url);
    await show('/games/abc');
    await show('https://elsewhere.example/');
    await show(undefined);
    return paths;
  });
  assert.deepEqual(opened, [`${scope}games/abc`, scope]);
  await leaveAll([kim]);
});

test('a server without pushes says so', async () => {
  const server = await Server.start();
  const lea = await registered({ ...scene, server }, 'lea');
  const page = await lea.open('/account');
  await openPart(page);
  await page.getByText('This server doesn’t send notifications.').waitFor();
  await leaveAll([lea]);
  await server.close();
});
