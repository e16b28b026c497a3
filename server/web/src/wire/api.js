// The HTTP API of the server (docs/http.md): requests with the token of the player, and their refusals.

import { Refused } from './requests.js';

const API_PATH = '/api/v1';
/** An answer that takes longer is not waited for. Passwords are hashed in turn, so some take seconds. */
const API_WITHIN_MS = 30_000;

/**
 * @typedef {{ method?: string, body?: Record<string, any>, token?: string }} ApiRequest Without a method, a `GET`.
 */

/**
 * Sends a request and returns the body of the answer, `undefined` if it has none.
 *
 * @param {string} path Below `/api/v1`.
 * @param {ApiRequest} request
 * @param {typeof fetch} send
 * @returns {Promise<any>}
 * @throws {Refused} With the code `unreachable` if no answer comes.
 */
export async function callApi(path, { method = 'GET', body, token }, send = fetch) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let answer;
  try {
    answer = await send(API_PATH + path, {
      method, headers, body: body && JSON.stringify(body), cache: 'no-store', credentials: 'omit',
      signal: AbortSignal.timeout(API_WITHIN_MS),
    });
  } catch {
    throw new Refused({ code: 'unreachable', retryable: true });
  }
  if (answer.status === 204) return undefined;
  const told = await answer.json().catch(() => undefined);
  if (answer.ok && told !== undefined) return told;
  const { status } = answer;
  // Something between the page and the server may have answered in its place.
  throw new Refused(typeof told?.code === 'string' ? told : { code: `http_${status}`, retryable: status >= 429 });
}
