// The page: the game under way, and what its parts do with it.
import { Analysis } from './analysis.js';
import { Board } from './board.js';
import { byId, element, pause, picture, row } from './dom.js';
import { Editor } from './editor.js';
import { showExport } from './export.js';
import { openLibrary } from './library.js';
import { Players } from './players.js';
import { ask } from './server.js';
import { isDark, watchTheme } from './theme.js';
import { Values } from './values.js';
import { Variations } from './variations.js';

let room = null; // the name of the game on the server
let info = null; // what `open` told of it
let source = null; // what `open` was asked
let position = null; // what `show` told
let shown = null; // the variation that it is of
let variations = new Variations();
let visit = 0; // counts the positions that were shown: work for an older one ends
let paused = false; // programs and chance wait
let flipped = false;

const board = new Board((move) => void playOwn(move));
const players = new Players(() => void refresh());
const editor = new Editor((text) => void open({ text }));
const analysis = new Analysis(search);
const values = new Values(search);
analysis.changed = values.changed = () => void refresh();
const showMoves = showExport(() => ({
  info, position, moves: () => variations.line(), players: players.texts.map((text) => text || 'human'),
  record: async (form) => {
    const names = players.texts.map((text) => text || 'human');
    try {
      return (await ask('record', { ...here(), form, players: names })).text;
    } catch (error) {
      tell(error.message, 'error');
      return null;
    }
  },
  picture: async () => (await ask('picture', { ...here(), flip: flipped, dark: isDark() })).svg,
}));

const here = () => ({ room, moves: variations.line() });

function tell(text, kind = '') {
  byId('status').textContent = text;
  byId('status').className = kind;
}

// -- the game

// Begins a game: of a file of the library, or of a text; with parameters.
async function open(what) {
  visit++;
  try {
    const answer = await ask('open', { ...what, ...(room ? { room } : {}) });
    if (answer.diagnostics) {
      if (what.text !== undefined) editor.showDiagnostics(answer.diagnostics);
      return tell(what.text === undefined ? answer.message : 'The rules have errors: see below the text.', 'error');
    }
    [room, info, source] = [answer.room, answer, what];
    variations = new Variations();
    [shown, paused] = [null, false];
    begin();
    await refresh();
  } catch (error) {
    tell(error.message, 'error');
  }
}

function begin() {
  byId('title').textContent = document.title = info.game.title;
  players.show(info.game.players, info.game.chance, info.solved);
  editor.show(info.rules, info.warnings);
  showParameters();
  for (const part of [analysis, values]) part.clear();
  if (info.no_database) byId('values').append(element('p', { className: 'note' }, info.no_database));
}

function showParameters() {
  const inputs = info.parameters.map(({ name, type, value }) =>
    row(`${name} (${type})`, element('input', { value, name, autocomplete: 'off', spellcheck: false })));
  const apply = element('button', { type: 'button' }, 'Start with these');
  apply.addEventListener('click', () => {
    const parameters = {};
    for (const input of byId('parameters').querySelectorAll('input')) parameters[input.name] = input.value;
    void open({ ...source, parameters });
  });
  byId('parameters').replaceChildren(...(inputs.length > 0 ? [...inputs, apply] : ['This game has none.']));
}

// Shows the position that the variations are at, then lets programs and chance go on from it.
async function refresh() {
  if (!info) return;
  const own = ++visit;
  try {
    const width = Math.round(byId('panel').clientWidth);
    const members = { flip: flipped, dark: isDark(), width };
    let answer = await ask('show', { ...here(), ...members });
    if (answer.gone) {
      // The server has ended the game for want of room: it begins again, and goes on where it was.
      room = (await ask('open', source)).room;
      answer = await ask('show', { ...here(), ...members });
    }
    if (own !== visit) return;
    [position, shown] = [answer, variations.current];
    draw();
    await goOn(own);
  } catch (error) {
    if (own !== visit) return;
    if (shown && variations.current !== shown) variations.go(shown);
    tell(error.message, 'error');
  }
}

const isPersons = () => position.kind === 'decision' && (paused || !players.of(position.player));
const isChosenChance = () => position.kind === 'chance' && (paused || players.choosesChance);

function choices() {
  if (isPersons()) return position.moves.map((text, i) => ({ text, sites: position.sites[i] }));
  if (!isChosenChance()) return [];
  return position.outcomes.map(({ move, probability }) =>
    ({ text: move, sites: [], label: `${move} (${(100 * probability).toFixed(1)} %)` }));
}

function draw() {
  board.show(position.boards, info.game.title, choices());
  const panel = picture(position.panel);
  panel.removeAttribute('aria-labelledby');
  const facts = [...panel.querySelectorAll('text')].map((text) => text.textContent).join(', ');
  for (const own of panel.querySelectorAll(':scope > title, :scope > desc')) own.remove();
  panel.setAttribute('aria-label', facts);
  byId('panel').replaceChildren(panel);
  byId('legal').replaceChildren(...choices().slice(0, 500).map(({ text }) => element('option', { value: text })));
  variations.current.person = isPersons() && !players.of(position.player);
  variations.show((node) => {
    paused = true;
    variations.go(node);
    void refresh();
  });
  showMoves(variations.line());
  byId('undo').disabled = variations.current.parent === null;
  byId('redo').disabled = variations.current.next === null;
  byId('go-on').hidden = !paused || position.kind === 'over';
  byId('move-now').hidden = true;
  tell(sentence());
}

// The last move, and what comes next.
function sentence() {
  const { move, mover } = variations.current;
  const last = move === null ? '' : `${mover ?? 'Chance'}: ${move}. `;
  if (position.kind === 'chance') return `${last}Chance decides.`;
  if (position.kind !== 'over') return `${last}${position.player} to move.`;
  const best = Math.max(...position.returns);
  const winners = info.game.players.filter((_, i) => position.returns[i] === best);
  const result = info.game.players.length === 1 ? `The game is over: ${best}.`
    : winners.length === info.game.players.length ? 'The game is drawn.'
      : `${winners.join(' and ')} ${winners.length > 1 ? 'win' : 'wins'}.`;
  return `${last}${result}${position.reason ? ` By the rule: ${position.reason.replace(/\s+/g, ' ')}` : ''}`;
}

function make(move) {
  variations.play(move, position.kind === 'chance' ? null : position.player);
}

async function playOwn(move) {
  if (position.kind === 'decision') paused = paused && Boolean(players.of(position.player));
  make(move);
  await refresh();
}

// As the game writes the move, or as the server reads it.
async function playTyped(typed) {
  let move = choices().find(({ text }) => text.toLowerCase() === typed.toLowerCase())?.text;
  if (!move && !isPersons()) return tell(`“${typed}” is not a move here.`, 'error');
  const own = visit;
  try {
    move ??= (await ask('move', { ...here(), text: typed })).move;
  } catch (error) {
    return tell(error.message, 'error');
  }
  if (own !== visit) return undefined;
  byId('move').value = '';
  return playOwn(move);
}

// -- programs and chance

async function goOn(own) {
  if (position.kind === 'chance' && !isChosenChance()) {
    await pause(players.hasPerson() ? 350 : 150);
    if (own !== visit) return;
    make(drawn());
    await refresh();
  } else if (position.kind === 'decision' && !isPersons()) {
    await think(own);
  } else if (position.kind === 'decision') {
    if (values.wanted) await values.run(info, position, room, variations.line(), (found) => own === visit && board.showValues(found));
    if (analysis.wanted && own === visit) await analysis.run(info.game);
  }
}

// An outcome of chance, by their probabilities.
function drawn() {
  let rest = Math.random();
  return (position.outcomes.find(({ probability }) => (rest -= probability) < 0) ?? position.outcomes.at(-1)).move;
}

async function think(own) {
  tell(`${sentence()} Thinking …`);
  byId('move-now').hidden = false;
  const end = await search({ player: players.of(position.player) }, () => {});
  if (!end || own !== visit) return;
  if (end.error) throw new Error(end.error.message);
  make(end.answer.move);
  await refresh();
}

// The number of a search, when there is room for it; null: another position is shown meanwhile.
async function beginSearch(members, own) {
  const said = byId('status').textContent;
  for (let waited = false; ; waited = true) {
    const { search: number, wait } = await ask('search', { ...here(), ...members });
    if (waited && own === visit) tell(said);
    if (!wait) return number;
    tell(`${sentence()} Waiting for other searches to end …`);
    await pause(1000);
    if (own !== visit) return null;
  }
}

// Searches the position that is shown, tells what is found, and returns the end; null: another position is shown.
async function search(members, found) {
  const own = visit;
  const number = await beginSearch(members, own);
  if (number === null) return null;
  for (let wait = 30; ; wait = Math.min(wait * 1.5, 300)) {
    await pause(wait);
    if (own !== visit) {
      await ask('stop', { room });
      return null;
    }
    const state = await ask('progress', { room });
    if (own !== visit || state.search !== number) return null;
    if (state.info) found(state.info);
    if (!state.busy) return state;
  }
}

// A search ends with the page that wants it.
window.addEventListener('pagehide', () => {
  const body = new Blob([JSON.stringify({ id: 0, command: 'stop', room })], { type: 'application/json' });
  if (room !== null) navigator.sendBeacon('/api', body);
});

// -- the buttons

function connect() {
  const on = (id, act) => byId(id).addEventListener('click', act);
  on('undo', () => {
    variations.undo();
    paused = Boolean(position && !variations.current.person);
    void refresh();
  });
  on('redo', () => {
    variations.redo();
    void refresh();
  });
  on('again', () => info && void open(source));
  on('go-on', () => {
    paused = false;
    void refresh();
  });
  on('move-now', () => void ask('stop', { room }));
  on('flip', () => {
    flipped = !flipped;
    byId('flip').setAttribute('aria-pressed', String(flipped));
    void refresh();
  });
  byId('typed').addEventListener('submit', (event) => {
    event.preventDefault();
    const typed = byId('move').value.trim();
    void playTyped(typed);
  });
  for (const id of ['analysis-part', 'values-part'])
    byId(id).addEventListener('toggle', () => (analysis.on.checked || values.on.checked) && void refresh());
}

connect();
watchTheme(() => void refresh());
try {
  const { first, parameters } = await openLibrary((file) => void open({ file }));
  const asked = new URLSearchParams(location.search).get('game');
  if (asked) await open({ file: asked });
  else if (first) await open({ file: first, parameters });
  else byId('choose').click();
} catch (error) {
  tell(error.message, 'error');
}
