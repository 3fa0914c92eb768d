// A client made of the libraries that VS Code talks by. Opens a long rule file, types in it, and measures how long it
// takes from `didChange` to `publishDiagnostics`; then does what people do. Run by run.sh.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createProtocolConnection } from 'vscode-languageserver-protocol/node';

const [zug, rules] = process.argv.slice(2);
const file = path.join(rules, 'chess.zug');
const uri = pathToFileURL(file).href;
const original = fs.readFileSync(file, 'utf8');
const server = spawn(zug, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = createProtocolConnection(server.stdout, server.stdin);
connection.listen();

let heard = () => {};
connection.onNotification('textDocument/publishDiagnostics', (params) => heard(params));

let text = original;
let version = 1;

// The diagnostics that come of what `send` does, for the present version of the text.
function diagnostics(send) {
    return new Promise((resolve) => {
        heard = (params) => {
            if (params.version === version) resolve(params);
        };
        send();
    });
}

const positionAt = (offset) => {
    const before = text.slice(0, offset).split('\n');
    return { line: before.length - 1, character: before.at(-1).length };
};

// Replaces a part of the text in the editor.
async function edit(begin, end, replacement) {
    const range = { start: positionAt(begin), end: positionAt(end) };
    text = text.slice(0, begin) + replacement + text.slice(end);
    const started = performance.now();
    ++version;
    const params = await diagnostics(() =>
        connection.sendNotification('textDocument/didChange', {
            textDocument: { uri, version },
            contentChanges: [{ range, text: replacement }],
        }),
    );
    return { list: params.diagnostics, ms: performance.now() - started };
}

// What `zug check` says of a text beside the file.
function check(text) {
    const copy = path.join(fs.mkdtempSync('/tmp/zug-'), 'chess.zug');
    fs.writeFileSync(copy, text);
    let out;
    try {
        out = execFileSync(zug, ['check', '--json', '--no-tests', copy], { stdio: ['ignore', 'pipe', 'ignore'] });
    } catch (error) {
        out = error.stdout;
    }
    fs.rmSync(path.dirname(copy), { recursive: true });
    const results = JSON.parse(out);
    return (results[0] ?? results).diagnostics.map((one) => `${one.line}: ${one.slug}`);
}

const { capabilities, serverInfo } = await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
assert.ok(capabilities.renameProvider);
connection.sendNotification('initialized', {});
const opened = await diagnostics(() =>
    connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'zug', version, text } }),
);
assert.deepEqual(opened.diagnostics, []);

// Types a rule at the end of those for moves, letter by letter, and takes it out again.
const typed = '\nmove other(a, b: square)\n  when a in at.(me, King), b in a.compass & empty, not attacked(b, foe)\n  then at[b] := at[a], at[a] := none\n';
const place = original.indexOf('\nend');
const times = [];
for (let i = 0; i < typed.length; ++i) times.push((await edit(place + i, place + i, typed[i])).ms);
for (let i = typed.length; i > 0; --i) times.push((await edit(place + i - 1, place + i, '')).ms);
assert.equal(text, original);
times.sort((a, b) => a - b);
const at = (part) => times[Math.floor((times.length - 1) * part)].toFixed(1);
console.log(`${serverInfo.name} ${serverInfo.version}: ${original.split('\n').length} lines, ${times.length} changes: ` +
    `diagnostics after ${at(0.5)} ms (median), ${at(0.95)} ms (95 percent), ${at(1)} ms (longest)`);

// A mistake, and its fix.
const word = original.search(/(?<=^[^#\n]*)\bempty\b/m);
const wrong = (await edit(word, word + 5, 'emty')).list;
assert.ok(wrong.some((one) => one.code === 'unknown-name' && one.message.includes('did you mean `empty`?')));
assert.deepEqual(wrong.map((one) => `${one.range.start.line + 1}: ${one.code}`), check(text));
const here = positionAt(word);
const [action] = await connection.sendRequest('textDocument/codeAction', {
    textDocument: { uri }, range: { start: here, end: here }, context: { diagnostics: [] },
});
assert.equal(action.edit.changes[uri][0].newText, 'empty');
assert.deepEqual((await edit(word, word + 4, 'empty')).list, []);

// From a use to the definition, and another name for it.
const definition = /^def ([a-z_]+)\(/m.exec(original);
const name = definition[1];
const position = positionAt(original.indexOf(`${name}(`, definition.index + 10));
const found = await connection.sendRequest('textDocument/definition', { textDocument: { uri }, position });
assert.deepEqual(found.range.start, positionAt(definition.index + 4));
const renamed = await connection.sendRequest('textDocument/rename', { textDocument: { uri }, position, newName: 'another_name' });
const edits = renamed.changes[uri].sort((a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character);
let after = text.split('\n');
for (const { range, newText } of edits) {
    const line = after[range.start.line];
    after[range.start.line] = line.slice(0, range.start.character) + newText + line.slice(range.end.character);
}
assert.deepEqual(check(after.join('\n')), []);
await assert.rejects(connection.sendRequest('textDocument/rename', { textDocument: { uri }, position, newName: 'when' }), /is no name/);
console.log(`renamed ${name} in ${edits.length} places`);

const hover = await connection.sendRequest('textDocument/hover', { textDocument: { uri }, position });
assert.match(hover.contents.value, new RegExp(`def ${name}`));
const symbols = await connection.sendRequest('textDocument/documentSymbol', { textDocument: { uri } });
assert.ok(symbols.some((one) => one.name === name));
const completion = await connection.sendRequest('textDocument/completion', { textDocument: { uri }, position });
assert.ok(completion.items.some((one) => one.label === name));
const tokens = await connection.sendRequest('textDocument/semanticTokens/full', { textDocument: { uri } });
console.log(`${symbols.length} symbols, ${completion.items.length} completions, ${tokens.data.length / 5} tokens`);
const lenses = await connection.sendRequest('textDocument/codeLens', { textDocument: { uri } });
const outcome = await connection.sendRequest('workspace/executeCommand', lenses[0].command);
console.log(`tests: ${outcome.text}`);
assert.equal(outcome.failed, 0);

// Whatever is typed, the diagnostics are those of `zug check`.
let seed = 1;
const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
let list = [];
for (let i = 0; i < 100; ++i) {
    const begin = 2000 + random(text.length - 2000); // behind the comment at its beginning
    ({ list } = await edit(begin, Math.min(text.length, begin + random(4)), ['', 'x', '(', '\n', '♞', '𝔘', '"', 'when '][random(8)]));
}
assert.deepEqual(list.map((one) => `${one.range.start.line + 1}: ${one.code}`), check(text));
console.log(`after 100 random edits: ${list.length} diagnostics, as \`zug check\` gives`);

await connection.sendRequest('shutdown');
connection.sendNotification('exit');
const code = await new Promise((resolve) => server.on('exit', resolve));
assert.equal(code, 0);
