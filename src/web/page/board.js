// The board: its cells are buttons, and clicks on them become a move. A move names sites in order; each click leaves
// those moves whose next site it is. Where several moves remain that name no more sites, buttons with their texts ask
// which is meant.
import { byId, element, picture, shape } from './dom.js';

const startsWith = (sites, chosen) => chosen.every((site, i) => sites[i] === site);

export class Board {
  // `play`: called with the text of a move; then nothing can be chosen until a position is shown.
  constructor(play) {
    this.play = (move) => {
      this.moves = [];
      this.cancel();
      play(move);
    };
    this.moves = [];
    this.chosen = [];
    this.values = new Map();
    this.focused = null; // the site whose cell can be tabbed to
    byId('board').addEventListener('keydown', (event) => this.#onKey(event));
    byId('board').addEventListener('pointerdown', (event) => this.#onDown(event));
    byId('board').addEventListener('pointerup', (event) => this.#onUp(event));
    byId('board').addEventListener('pointermove', (event) => this.#onMove(event));
    byId('board').addEventListener('pointercancel', () => this.#drop());
    // Of readers that press a button without a pointer.
    byId('board').addEventListener('click', (event) => {
      const cell = event.target.closest('g[data-site]');
      if (cell && event.detail === 0) this.choose(cell.dataset.site);
    });
  }

  // `moves`: texts and sites, empty where nobody has to choose.
  show(boards, title, moves) {
    const hadFocus = byId('board').contains(document.activeElement);
    const svg = picture(boards);
    svg.setAttribute('role', 'group');
    svg.removeAttribute('aria-labelledby');
    svg.setAttribute('aria-label', `Board of ${title}`);
    for (const own of svg.querySelectorAll(':scope > title, :scope > desc')) own.remove();
    this.cells = new Map();
    for (const cell of svg.querySelectorAll('g[data-site]')) this.#prepare(cell);
    byId('board').replaceChildren(svg);
    // The same moves: the picture has changed, or who plays, and what was chosen remains.
    const same = moves.length === this.moves.length && moves.every(({ text }, i) => text === this.moves[i].text);
    this.moves = moves.map((move) => (move.sites.length > 0 ? move : { ...move, sites: this.#sitesIn(move.text) }));
    if (!same) this.chosen = [];
    this.values = new Map();
    this.#mark();
    const start = this.cells.get(this.focused) ?? this.cells.values().next().value;
    if (start) this.#setFocus(start, hadFocus);
  }

  // `values`: by text of a move, { kind: win, draw or loss, text }.
  showValues(values) {
    this.values = values;
    this.#mark();
  }

  #prepare(cell) {
    const title = cell.querySelector(':scope > title');
    cell.setAttribute('role', 'button');
    cell.setAttribute('tabindex', '-1');
    cell.dataset.name = title.textContent;
    title.remove();
    for (const text of cell.querySelectorAll('text')) text.setAttribute('aria-hidden', 'true'); // the name says it
    cell.firstElementChild?.classList.add('back');
    this.cells.set(cell.dataset.site, cell);
  }

  // The sites that a move's text is made of, where its rule names none, as that of castling names a direction.
  #sitesIn(text) {
    const words = text.split(/[^a-z0-9]+|(?<=[0-9])(?=[a-z])/).filter(Boolean);
    const sites = words.map((word) => [...this.cells.keys()].find((site) => site.endsWith(`:${word}`)));
    return sites.every(Boolean) ? sites : [];
  }

  #candidates(chosen) {
    return this.moves.filter((move) => move.sites.length > 0 && startsWith(move.sites, chosen));
  }

  // A click on a site.
  choose(site) {
    let chosen = [...this.chosen, site];
    let left = this.#candidates(chosen);
    if (left.length === 0 && this.chosen.length > 0) {
      // Of a long move the end may be named at once.
      const ends = this.#candidates(this.chosen).filter((move) => move.sites.at(-1) === site);
      if (ends.length === 1) return this.play(ends[0].text);
      if (ends.length > 1) return this.#offer(ends);
      if (this.chosen.at(-1) === site) return this.cancel();
      chosen = [site];
      left = this.#candidates(chosen);
    }
    if (left.length === 0) return this.cancel();
    const whole = left.filter((move) => move.sites.length === chosen.length);
    if (left.length === 1 && (whole.length === 1 || chosen.length > 1)) return this.play(left[0].text);
    this.chosen = chosen;
    this.#mark();
    if (whole.length > 0) this.#offer(whole);
  }

  cancel() {
    this.chosen = [];
    this.#mark();
  }

  #offer(moves) {
    this.#showChoices(moves);
    byId('choices').querySelector('button')?.focus();
  }

  #showChoices(moves) {
    const most = 200;
    byId('choices').replaceChildren(
      ...moves.slice(0, most).map((move) => {
        const text = move.label ?? move.text;
        const button = element('button', { type: 'button' }, text);
        const value = this.values.get(move.text);
        if (value) button.append(element('span', { className: value.kind }, ` ${value.text}`));
        button.addEventListener('click', () => this.play(move.text));
        return button;
      }),
      ...(moves.length > most ? [`and ${moves.length - most} more: type one`] : []),
    );
  }

  // Marks what is chosen and what can come next.
  #mark() {
    for (const cell of this.cells.values()) {
      for (const mark of cell.querySelectorAll('.target, .ring, .value, .number, .focus')) mark.remove();
      const chosen = this.chosen.includes(cell.dataset.site);
      cell.setAttribute('aria-label', cell.dataset.name + (chosen ? ', chosen' : ''));
      cell.classList.remove('can');
      cell.setAttribute('aria-disabled', 'true');
      if (chosen) cell.append(this.#outline(cell, 'ring'));
      cell.append(this.#outline(cell, 'focus'));
    }
    const next = new Map();
    for (const move of this.#candidates(this.chosen)) {
      const site = move.sites[this.chosen.length];
      if (site) next.set(site, [...(next.get(site) ?? []), move]);
    }
    for (const [site, moves] of next) {
      const cell = this.cells.get(site);
      if (!cell) continue;
      cell.classList.add('can');
      cell.removeAttribute('aria-disabled');
      this.#markTarget(cell, moves);
    }
    this.#showChoices(this.moves.filter((move) => move.sites.length === 0 || move.sites.some((s) => !this.cells.has(s))));
  }

  #box(cell) {
    return (cell.querySelector(':scope > .back') ?? cell).getBBox();
  }

  #outline(cell, name) {
    const box = this.#box(cell);
    return shape('rect', { class: name, x: box.x + 2, y: box.y + 2, width: Math.max(0, box.width - 4),
      height: Math.max(0, box.height - 4), rx: 4 });
  }

  #markTarget(cell, moves) {
    const box = this.#box(cell);
    const at = { cx: box.x + box.width / 2, cy: box.y + box.height / 2 };
    const order = { win: 0, draw: 1, loss: 2, other: 3 };
    const values = moves.map((move) => this.values.get(move.text)).filter(Boolean);
    values.sort((a, b) => order[a.kind] - order[b.kind] || (b.rank ?? 0) - (a.rank ?? 0));
    if (values.length > 0) {
      const [best] = values;
      cell.append(shape('circle', { class: `value ${best.kind}`, ...at, r: box.width * 0.27 }));
      const number = shape('text', { class: 'number', x: at.cx, y: at.cy + box.width * 0.08, 'font-size': box.width * 0.22 });
      number.textContent = best.short;
      cell.append(number);
      cell.setAttribute('aria-label', `${cell.getAttribute('aria-label')}, ${best.text}`);
    } else if (this.chosen.length > 0) {
      cell.append(shape('circle', { class: 'target', ...at, r: box.width * 0.15 }));
    }
  }

  #setFocus(cell, really) {
    for (const other of this.cells.values()) other.setAttribute('tabindex', '-1');
    cell.setAttribute('tabindex', '0');
    this.focused = cell.dataset.site;
    if (really) cell.focus();
  }

  // Arrow keys go to the nearest cell in their direction.
  #onKey(event) {
    const cell = event.target.closest('g[data-site]');
    if (!cell) return;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === 'Enter' || event.key === ' ') this.choose(cell.dataset.site);
    else if (event.key === 'Escape') this.cancel();
    else if (ways[event.key]) this.#step(cell, ways[event.key]);
    else return;
    event.preventDefault();
  }

  #step(cell, [x, y]) {
    const middle = (one) => {
      const box = one.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [fromX, fromY] = middle(cell);
    let best = null, least = Infinity;
    for (const other of this.cells.values()) {
      const [toX, toY] = middle(other);
      const along = (toX - fromX) * x + (toY - fromY) * y;
      const across = Math.abs((toX - fromX) * y) + Math.abs((toY - fromY) * x);
      if (along > 2 && along + 3 * across < least) [best, least] = [other, along + 3 * across];
    }
    if (best) this.#setFocus(best, true);
  }

  // A press and a release on the same cell is a click, on two cells a move from one to the other.
  #onDown(event) {
    const cell = event.target.closest?.('g[data-site]');
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    this.#setFocus(cell, false);
    this.pressed = { cell, x: event.clientX, y: event.clientY, ghost: null };
  }

  #onMove(event) {
    const { cell, x, y } = this.pressed ?? {};
    if (!cell || !cell.classList.contains('can')) return;
    const svg = cell.ownerSVGElement, scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    if (!this.pressed.ghost && Math.hypot(event.clientX - x, event.clientY - y) < 6) return;
    if (!this.pressed.ghost) {
      this.pressed.ghost = cell.cloneNode(true);
      for (const name of ['role', 'tabindex', 'data-site', 'aria-label', 'aria-disabled']) this.pressed.ghost.removeAttribute(name);
      this.pressed.ghost.setAttribute('class', 'dragged');
      this.pressed.ghost.setAttribute('aria-hidden', 'true');
      svg.append(this.pressed.ghost);
      if (this.chosen.at(-1) !== cell.dataset.site) this.choose(cell.dataset.site);
    }
    const dx = (event.clientX - x) * scale, dy = (event.clientY - y) * scale;
    this.pressed?.ghost?.setAttribute('transform', `translate(${dx} ${dy})`);
  }

  #onUp(event) {
    const pressed = this.pressed;
    if (!pressed) return;
    this.#drop();
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest('g[data-site]');
    if (!over || !pressed.cell.isConnected) return;
    if (over === pressed.cell && pressed.ghost) return;
    if (over !== pressed.cell && !pressed.ghost) this.choose(pressed.cell.dataset.site);
    this.choose(over.dataset.site);
  }

  #drop() {
    this.pressed?.ghost?.remove();
    this.pressed = null;
  }
}
