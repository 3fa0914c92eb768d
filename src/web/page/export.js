// Saves the game as a record that `zug replay` reads, and the position as a picture.
import { byId, download, element } from './dom.js';

export function showExport(state) {
  const button = (text, save) => {
    const made = element('button', { type: 'button' }, text);
    made.addEventListener('click', save);
    return made;
  };
  const name = () => state().info.name || 'game';
  // For other programs; shown where the game can be written so.
  const forms = {};
  const formButton = (form) => {
    forms[form] = button(`Game as ${form.toUpperCase()}`, async () => {
      const text = await state().record(form);
      if (text !== null) download(`${name()}.${form}`, 'text/plain', text);
    });
    forms[form].hidden = true;
    return forms[form];
  };
  const line = element('textarea', { readOnly: true, rows: 3, ariaLabel: 'The moves so far' });
  byId('export-part').addEventListener('toggle', () => { line.value = state().moves().join('; '); });
  byId('export').replaceChildren(
    element('div', { className: 'row' },
      button('Game as a record', () => download(`${name()}.jsonl`, 'application/json', `${JSON.stringify(recordOf(state()))}\n`)),
      ...['pgn', 'sgf'].map((form) => formButton(form)),
      button('Position as SVG', async () => download(`${name()}.svg`, 'image/svg+xml', await state().picture())),
      button('Position as PNG', async () => download(`${name()}.png`, 'image/png', await pngOf(await state().picture())))),
    line);
  return (moves) => {
    line.value = moves.join('; ');
    for (const form of ['pgn', 'sgf']) forms[form].hidden = !state().info.forms.includes(form);
  };
}

// The browser draws the picture, at twice its size as `zug draw` does.
async function pngOf(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = element('img', { src: address });
    await image.decode();
    const canvas = element('canvas', { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => { canvas.toBlob(done, 'image/png'); });
  } finally {
    URL.revokeObjectURL(address);
  }
}

function recordOf({ info, moves, position, players }) {
  return {
    game: info.game.title,
    file: info.name,
    params: info.game.parameters,
    players,
    index: 0,
    seed: 1,
    moves: moves(),
    end: position.kind === 'over' ? 'finished' : 'stopped',
    ...(position.kind === 'over' ? { utilities: position.returns } : {}),
  };
}
