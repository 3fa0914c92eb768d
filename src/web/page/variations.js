// The moves of a game with all variations that were tried: a tree, and the position in it that is shown.
import { byId, element } from './dom.js';

export class Variations {
  constructor() {
    this.root = { move: null, parent: null, children: [], next: null, mover: null };
    this.current = this.root;
  }

  line() {
    const moves = [];
    for (let node = this.current; node.parent; node = node.parent) moves.unshift(node.move);
    return moves;
  }

  // `mover`: who made the move; null: chance.
  play(move, mover) {
    let child = this.current.children.find((known) => known.move === move);
    if (!child) {
      child = { move, mover, parent: this.current, children: [], next: null, person: false };
      this.current.children.push(child);
    }
    this.current.next = child;
    this.current = child;
  }

  go(node) {
    for (let at = node; at.parent; at = at.parent) at.parent.next = at;
    this.current = node;
  }

  // To the last position before this one in which a person had the choice, or that of the beginning.
  undo() {
    let node = this.current;
    while (node.parent) {
      node = node.parent;
      if (node.person) break;
    }
    this.current = node;
  }

  // The line on, to the next position of a person or its end.
  redo() {
    let node = this.current;
    while (node.next) {
      node = node.next;
      if (node.person) break;
    }
    this.current = node;
  }

  show(choose) {
    byId('variations').replaceChildren(this.#branch(this.root, 0, choose));
    const current = byId('variations').querySelector('[aria-current]');
    if (current) byId('variations').scrollTop = current.offsetTop - byId('variations').offsetTop - 100;
  }

  // A line as long as it goes, with the variations below it. Not recursive along the line: games are long.
  #branch(start, ply, choose) {
    const line = element('div', { className: 'line' });
    if (start === this.root) line.append(this.#button(start, 'Start', choose));
    for (let node = start; node.children.length > 0; ply++) {
      const [main, ...others] = node.children;
      line.append(this.#button(main, `${ply + 1}. ${main.move}`, choose));
      for (const other of others) {
        const branch = element('div', { className: 'branch' }, this.#button(other, `${ply + 1}. ${other.move}`, choose));
        branch.append(this.#branch(other, ply + 1, choose));
        line.append(branch);
      }
      node = main;
    }
    return line;
  }

  #button(node, text, choose) {
    const button = element('button', { type: 'button', title: node.mover ?? (node.parent ? 'chance' : '') }, text);
    if (node === this.current) button.setAttribute('aria-current', 'step');
    button.addEventListener('click', () => choose(node));
    return button;
  }
}
