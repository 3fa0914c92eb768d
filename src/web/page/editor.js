// The rules as a text that can be changed: what is wrong with it is marked while it is written, and the game begins
// again by it.
import { byId, element } from './dom.js';
import { ask } from './server.js';

const delay = 350; // milliseconds without a key, until the text is checked

export class Editor {
  // `restart`: called with the text.
  constructor(restart) {
    this.restart = restart;
    this.marks = element('pre', { ariaHidden: 'true' });
    this.text = element('textarea', { ariaLabel: 'Rules of the game', spellcheck: false, autocomplete: 'off', wrap: 'off' });
    this.problems = element('ul', { className: 'problems', ariaLabel: 'Problems', ariaLive: 'polite' });
    const button = element('button', { type: 'button' }, 'Play by these rules');
    button.addEventListener('click', () => this.restart(this.text.value));
    this.text.addEventListener('input', () => this.#later());
    this.text.addEventListener('scroll', () => this.#follow());
    this.text.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.restart(this.text.value);
    });
    byId('editor').replaceChildren(element('div', { className: 'code' }, this.marks, this.text), this.problems,
      element('div', { className: 'row' }, button, element('span', { className: 'note' }, 'or Ctrl+Enter')));
  }

  show(text, diagnostics) {
    this.text.value = text;
    this.showDiagnostics(diagnostics);
  }

  showDiagnostics(diagnostics) {
    this.#mark(diagnostics.filter((one) => one.own));
    this.problems.replaceChildren(...diagnostics.map((one) => {
      const where = one.own ? `Line ${one.line}: ` : 'In a file that this one uses: ';
      const button = element('button', { type: 'button', className: one.severity }, `${where}${one.text}${one.fix ? ` (${one.fix})` : ''}`);
      button.addEventListener('click', () => this.#goTo(one));
      return element('li', {}, button);
    }));
  }

  #goTo(one) {
    if (!one.own) return;
    this.text.focus();
    this.text.setSelectionRange(one.begin, Math.max(one.end, one.begin + 1));
    this.text.scrollTop = (one.line - 5) * parseFloat(getComputedStyle(this.text).lineHeight);
  }

  // The same text below the one that is edited, with the places marked.
  #mark(diagnostics) {
    const text = this.text.value, parts = [];
    let at = 0;
    for (const one of [...diagnostics].sort((a, b) => a.begin - b.begin)) {
      if (one.begin < at) continue;
      const end = Math.max(one.end, one.begin + 1);
      parts.push(text.slice(at, one.begin), element('mark', { className: one.severity }, text.slice(one.begin, end)));
      at = end;
    }
    this.marks.replaceChildren(...parts, `${text.slice(at)}\n`);
    this.#follow();
  }

  #follow() {
    this.marks.scrollTop = this.text.scrollTop;
    this.marks.scrollLeft = this.text.scrollLeft;
  }

  #later() {
    clearTimeout(this.timer);
    this.#mark([]);
    this.timer = setTimeout(async () => {
      const text = this.text.value;
      try {
        const { diagnostics } = await ask('check', { text });
        if (text === this.text.value) this.showDiagnostics(diagnostics);
      } catch (error) {
        this.problems.replaceChildren(element('li', { className: 'error' }, error.message));
      }
    }, delay);
  }
}
