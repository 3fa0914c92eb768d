// The value of each move: from a solved database win, draw or loss and the number of plies to the end, as Gamesman
// shows them; else from a search of each.
import { byId, element, row } from './dom.js';
import { ask } from './server.js';

const words = { win: 'wins', draw: 'draws', loss: 'loses' };

function kindOf(game, value) {
  const middle = (game.least_utility + game.greatest_utility) / 2;
  return value > middle ? 'win' : value < middle ? 'loss' : 'draw';
}

const plies = (count) => (count === 1 ? '1 ply' : `${count} plies`);

// Sooner wins and later losses come first.
function solvedValue(game, standing) {
  const { value, remoteness, win_probability: chance, repetition } = standing;
  if (remoteness === null && !repetition) {
    const text = chance === null ? `is worth ${value.toFixed(3)}` : `wins with ${(100 * chance).toFixed(1)} %`;
    return { kind: kindOf(game, value), text, short: value.toFixed(2), rank: value };
  }
  const kind = kindOf(game, value);
  const rank = kind === 'win' ? 1000 - remoteness : kind === 'loss' ? remoteness - 1000 : 0;
  return { kind, text: repetition ? 'draws by repetition' : `${words[kind]} in ${plies(remoteness)}`, short: repetition ? '=' : String(remoteness), rank };
}

function searchedValue(game, line, mover) {
  const value = line.value[mover];
  const kind = line.exact ? kindOf(game, value) : 'other';
  return { kind, text: `${value.toFixed(2)}${line.exact ? `, proven, ${words[kind]}` : ''}`, short: value.toFixed(1), rank: value };
}

export class Values {
  constructor(search) {
    this.search = search;
    this.on = element('input', { type: 'checkbox' });
    this.output = element('div', { className: 'scroll', tabIndex: 0, ariaLabel: 'Values of the moves', role: 'region' });
    this.on.addEventListener('change', () => this.changed?.());
    byId('values').replaceChildren(row('Show the value of each move', this.on), this.output);
  }

  get wanted() {
    return this.on.checked && byId('values-part').open;
  }

  clear() {
    this.output.replaceChildren();
  }

  // Shows values here and, by `mark`, on the board.
  async run(info, position, room, moves, mark) {
    const game = info.game;
    const tell = (values) => {
      this.#show(values);
      mark(values);
    };
    try {
      if (info.solved) {
        const answer = await ask('values', { room, moves });
        tell(new Map(answer.moves.map((move) => [move.move, solvedValue(game, move)])));
        return;
      }
      const mover = game.players.indexOf(position.player);
      const take = (found) =>
        tell(new Map(found.lines.map((line) => [line.moves[0], searchedValue(game, line, mover)])));
      const end = await this.search({ player: 'auto', time: 5, lines: Math.max(2, position.moves.length) }, take);
      if (end?.error) throw new Error(end.error.message);
    } catch (error) {
      this.output.replaceChildren(element('p', { className: 'error' }, error.message));
    }
  }

  #show(values) {
    const sorted = [...values].sort(([, a], [, b]) => b.rank - a.rank);
    const rows = sorted.map(([move, value]) =>
      element('tr', {}, element('td', {}, move), element('td', { className: value.kind }, value.text)));
    this.output.replaceChildren(element('table', {}, element('tbody', {}, ...rows)));
  }
}
