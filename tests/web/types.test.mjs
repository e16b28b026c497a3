// The types of the protocol are those of its schema.

import assert from 'node:assert/strict';
import test from 'node:test';
import { readText } from './support.mjs';
import { declarationsOf } from './types.mjs';

test('protocol.d.ts is what types.mjs makes of the schema', () => {
  const made = declarationsOf(JSON.parse(readText('docs/protocol/schema.json')));
  assert.equal(readText('tests/web/protocol.d.ts'), made, 'run node tests/web/types.mjs');
});
