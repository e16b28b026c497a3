// The HTTP API of the server (docs/http.md): requests with the token of the player, and their refusals.

import { Refused } from './requests.js';

const API_PATH = '/api/v1';
/** An answer that takes longer is not waited for. Passwords are hashed in turn, so some take seconds. */
const API_WITHIN_MS = 30_000;
/** A file with many games takes longer. */
const API_FILE_WITHIN_MS = 300_000;

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
export async function callApi(path, request, send = fetch) {
  const answer = await answerOfApi(path, request, send, API_WITHIN_MS);
  if (answer.status === 204) return undefined;
  const told = await answer.json().catch(() => undefined);
  if (answer.ok && told !== undefined) return told;
  throw refusalOf(answer, told);
}

/**
 * The bytes of a file.
 *
 * @param {string} path Below `/api/v1`.
 * @param {ApiRequest} request
 * @param {typeof fetch} send
 * @returns {Promise<ArrayBuffer>}
 * @throws {Refused} With the code `unreachable` if the file does not come, or not all of it.
 */
export async function fileOfApi(path, request, send = fetch) {
  const answer = await answerOfApi(path, request, send, API_FILE_WITHIN_MS);
  if (!answer.ok) throw refusalOf(answer, await answer.json().catch(() => undefined));
  return answer.arrayBuffer().catch(() => Promise.reject(new Refused({ code: 'unreachable', retryable: true })));
}

/**
 * @param {string} path
 * @param {ApiRequest} request
 * @param {typeof fetch} send
 * @param {number} within_ms
 */
async function answerOfApi(path, { method = 'GET', body, token }, send, within_ms) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    return await send(API_PATH + path, {
      method, headers, body: body && JSON.stringify(body), cache: 'no-store', credentials: 'omit',
      signal: AbortSignal.timeout(within_ms),
    });
  } catch {
    throw new Refused({ code: 'unreachable', retryable: true });
  }
}

/**
 * @param {Response} answer
 * @param {any} told
 */
function refusalOf({ status }, told) {
  // Something between the page and the server may have answered in its place.
  return new Refused(typeof told?.code === 'string' ? told : { code: `http_${status}`, retryable: status >= 429 });
}
