// What the page asks the server: see commands.hpp.

let asked = 0;

// The result of a command; throws an Error with the server's sentence.
export async function ask(command, members = {}) {
  let response;
  try {
    response = await fetch('/api', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id: ++asked, command, ...members }),
    });
  } catch {
    throw new Error('The server does not answer: has `zug web` ended?');
  }
  const answer = await response.json().catch(() => ({}));
  if (answer.result) return answer.result;
  throw new Error(answer.error?.message ?? `The server answered with ${response.status}.`);
}
