// Who plays: a person or a program in each seat.
import { byId, element, row } from './dom.js';

const levels = [
  ['', 'a person'],
  ['random', 'random moves'],
  ['auto:nodes=200,random=0.3', 'program: beginner'],
  ['auto:nodes=1000,random=0.1', 'program: casual'],
  ['auto:nodes=5000', 'program: club'],
  ['auto:time=1', 'program: strong, 1 s a move'],
  ['auto:time=5', 'program: strongest, 5 s a move'],
];
const own = 'own';

// The choices of a game: its seats, and whether chance is drawn or chosen.
export class Players {
  // `changed`: called when somebody else is to play.
  constructor(changed) {
    this.changed = changed;
    this.seats = [];
    this.texts = [];
    this.chance = false;
  }

  // Keeps who plays where the seats have the same names.
  show(names, hasChance, isSolved) {
    if (names.join() !== this.seats.join()) this.texts = names.map((_, seat) => (seat === 0 ? '' : 'auto:nodes=5000'));
    this.seats = names;
    this.choosesChance = false;
    const rows = names.flatMap((name, seat) => this.#seat(name, seat, isSolved));
    if (hasChance) rows.push(this.#chance());
    byId('players').replaceChildren(...rows,
      element('p', { className: 'note' }, '“Other” takes any text of `zug help players`, such as alphabeta:depth=6.'));
  }

  // The program that plays the seat of this name; empty: a person.
  of(name) {
    return this.texts[this.seats.indexOf(name)] ?? '';
  }

  hasPerson() {
    return this.texts.includes('');
  }

  #seat(name, seat, isSolved) {
    const options = [...levels, ...(isSolved ? [['solved', 'perfect play']] : []), [own, 'other …']];
    const select = element('select', {}, ...options.map(([value, text]) => element('option', { value }, text)));
    const text = element('input', { autocomplete: 'off', spellcheck: false, ariaLabel: `The program that plays ${name}`,
      placeholder: 'alphabeta:depth=6' });
    const current = this.texts[seat];
    select.value = options.some(([value]) => value === current) ? current : own;
    text.value = select.value === own ? current : '';
    text.hidden = select.value !== own;
    const apply = () => {
      text.hidden = select.value !== own;
      if (select.value === own && !text.value) return text.focus();
      this.texts[seat] = select.value === own ? text.value.trim() : select.value;
      this.changed();
    };
    select.addEventListener('change', apply);
    text.addEventListener('change', apply);
    return [row(name, select), text];
  }

  #chance() {
    const box = element('input', { type: 'checkbox' });
    box.addEventListener('change', () => {
      this.choosesChance = box.checked;
      this.changed();
    });
    return row('I choose what chance does (dice, cards)', box);
  }
}
