// The dialog in which a game is chosen.
import { byId, element } from './dom.js';
import { ask } from './server.js';

let games = [];

function describe(game) {
  const players = game.players === 1 ? '1 player' : `${game.players} players`;
  return `${players}${game.chance ? ', chance' : ''}. ${game.about}`;
}

function show(choose) {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (game) => words.every((word) => `${game.name} ${game.title} ${describe(game)}`.toLowerCase().includes(word));
  const named = (game) => words.every((word) => game.title.toLowerCase().includes(word));
  const found = games.filter(fits).sort((a, b) => named(b) - named(a));
  byId('found').textContent = found.length === 1 ? '1 game' : `${found.length} games`;
  byId('games').replaceChildren(...found.map((game) => {
    const button = element('button', { type: 'button' }, element('strong', {}, game.title), element('span', {}, describe(game)));
    button.addEventListener('click', () => {
      byId('library').close();
      choose(game.name);
    });
    return element('li', {}, button);
  }));
}

// Reads the library. `choose`: called with a game's name. Returns the game to begin with; empty: none was named.
export async function openLibrary(choose) {
  const answer = await ask('games');
  games = answer.games;
  byId('choose').addEventListener('click', () => {
    show(choose);
    byId('library').showModal();
    byId('search').focus();
  });
  byId('library-close').addEventListener('click', () => byId('library').close());
  byId('search').addEventListener('input', () => show(choose));
  byId('search').addEventListener('keydown', (event) => {
    if (event.key === 'Enter') byId('games').querySelector('button')?.click();
  });
  return { first: answer.first, parameters: answer.parameters ?? {} };
}
