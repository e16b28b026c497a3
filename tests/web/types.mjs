// Writes the types of the protocol's messages, protocol.d.ts, from docs/protocol/schema.json. With `--check` it only
// says whether the file is up to date.
//
//   node tests/web/types.mjs [--check]

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SCHEMA = new URL('../../docs/protocol/schema.json', import.meta.url);
const FILE = new URL('protocol.d.ts', import.meta.url);
const HEADER = `// The messages of the protocol. Made by tests/web/types.mjs from docs/protocol/schema.json; do not edit.
`;

/**
 * Returns the type name of a definition: a server's definition keeps its name, a client's one is in the namespace `Client`.
 */
function nameOf(definition) {
  const [from, ...rest] = definition.split('.');
  const name = rest.at(-1).replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
  if (from === 'event') return `${name}Event`;
  return from === 'client' ? `Client.${name}` : name;
}

/** The type that a part of the schema describes. */
function typeOf(schema, indent) {
  if (schema.$ref) return `Protocol.${nameOf(schema.$ref.replace('#/$defs/', ''))}`;
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return openEnumeration(schema.anyOf, indent);
  if (schema.prefixItems) return `[${schema.prefixItems.map((item) => typeOf(item, indent)).join(', ')}]`;
  if (schema.type === 'array') return `Array<${typeOf(schema.items, indent)}>`;
  if (schema.type === 'object') return objectOf(schema, indent);
  return { string: 'string', integer: 'number', boolean: 'boolean' }[schema.type] ?? 'unknown';
}

const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value));

/** Values that are known, and others of later versions. */
function openEnumeration(parts, indent) {
  const types = parts.map((part) => (part.pattern ? '(string & {})' : typeOf(part, indent)));
  return types.join(' | ');
}

function objectOf({ properties = {}, required = [] }, indent) {
  const names = Object.keys(properties);
  if (names.length === 0) return 'Record<string, never>';
  const lines = names.flatMap((name) => {
    const { description, ...schema } = properties[name];
    const mark = required.includes(name) ? '' : '?';
    const type = typeOf(schema, `${indent}  `);
    return [...(description ? [`${indent}  /** ${description} */`] : []), `${indent}  ${name}${mark}: ${type};`];
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function declaration(definition, schema, indent) {
  const name = nameOf(definition).split('.').at(-1);
  const comment = schema.description ? `${indent}/** ${schema.description} */\n` : '';
  return `${comment}${indent}type ${name} = ${typeOf(schema, indent)};`;
}

/** The file for a schema. */
export function declarationsOf({ $defs }) {
  const types = (prefix, indent) =>
    Object.entries($defs)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, schema]) => declaration(name, schema, indent));
  const events = Object.keys($defs)
    .filter((name) => name.startsWith('event.'))
    .map(nameOf);
  return `${HEADER}
declare namespace Protocol {
  type GameEvent = ${events.join(' | ')};

  namespace Client {
${types('client.type.', '    ').join('\n\n')}
  }

${[...types('server.type.', '  '), ...types('event.', '  ')].join('\n\n')}
}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = declarationsOf(JSON.parse(readFileSync(SCHEMA, 'utf8')));
  if (!process.argv.includes('--check')) {
    writeFileSync(FILE, text);
  } else if (readFileSync(FILE, 'utf8') !== text) {
    console.error('tests/web/protocol.d.ts is not up to date: run node tests/web/types.mjs');
    process.exit(1);
  }
}
