// What the program thinks of the position, while it thinks.
import { byId, element, row } from './dom.js';

const rounded = (value) => (Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)).replace('-', '−');

// A value as a text: of two players with opposite aims that of the first, of others all.
export function valueText(game, value) {
  if (game.zero_sum && game.players.length === 2)
    return `${game.players[0]} ${value[0] > 0 ? '+' : ''}${rounded(value[0])}`;
  return game.players.map((name, i) => `${name} ${rounded(value[i])}`).join(', ');
}

export class Analysis {
  // `search`: starts one, calls its last argument with what it finds, and ends with its answer.
  constructor(search) {
    this.search = search;
    this.on = element('input', { type: 'checkbox' });
    this.lines = element('select', {}, ...[1, 2, 3, 5].map((n) => element('option', { value: n }, n)));
    this.player = element('input', { value: 'auto', spellcheck: false, autocomplete: 'off' });
    this.output = element('div', {});
    for (const control of [this.on, this.lines, this.player]) control.addEventListener('change', () => this.changed?.());
    byId('analysis').replaceChildren(row('Analyse the position', this.on), row('Lines', this.lines),
      row('Method', this.player), this.output);
  }

  get wanted() {
    return this.on.checked && byId('analysis-part').open;
  }

  clear() {
    this.output.replaceChildren();
  }

  async run(game) {
    const lines = Number(this.lines.value);
    try {
      const end = await this.search({ player: this.player.value || 'auto', time: 30, lines }, (info) => this.#show(game, info));
      if (end?.error) this.#complain(end.error.message);
    } catch (error) {
      this.#complain(error.message);
    }
  }

  #complain(text) {
    this.output.replaceChildren(element('p', { className: 'error' }, text));
  }

  #show(game, info) {
    const rows = info.lines.map((line) =>
      element('tr', {},
        element('td', {}, valueText(game, line.value) + (line.exact ? ' (proven)' : '')),
        element('td', {}, String(line.depth)),
        element('td', { className: 'moves' }, line.moves.join(' '))));
    const head = element('tr', {}, ...['Value', 'Depth', 'Line'].map((text) => element('th', { scope: 'col' }, text)));
    this.output.replaceChildren(
      ...this.#meter(game, info),
      element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)),
      element('p', { className: 'note' }, `${info.nodes.toLocaleString('en')} nodes in ${info.seconds.toFixed(1)} s`));
  }

  #meter(game, info) {
    if (!game.zero_sum || game.players.length !== 2 || info.lines.length === 0) return [];
    const value = info.lines[0].value[0];
    return [element('meter', { min: game.least_utility, max: game.greatest_utility, value,
      ariaLabel: `Advantage of ${game.players[0]}` })];
  }
}
