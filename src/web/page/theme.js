// Light and dark: as the system has it, or as the switch says.
import { byId } from './dom.js';

const system = matchMedia('(prefers-color-scheme: dark)');

export const isDark = () => document.documentElement.hasAttribute('data-dark');

function apply() {
  const wanted = byId('theme').value;
  document.documentElement.toggleAttribute('data-dark', wanted === 'dark' || (wanted === 'auto' && system.matches));
}

// Calls `changed` whenever the colours have changed.
export function watchTheme(changed) {
  byId('theme').value = localStorage.getItem('theme') ?? 'auto';
  const follow = () => {
    localStorage.setItem('theme', byId('theme').value);
    apply();
    changed();
  };
  byId('theme').addEventListener('change', follow);
  system.addEventListener('change', follow);
  apply();
}
