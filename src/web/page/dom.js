// Elements of the page. Texts are never read as markup.

export const byId = (id) => document.getElementById(id);

// An element with properties and attributes, and children that are elements or texts.
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made && key !== 'list') made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function shape(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// A picture that the server drew, as an element; null: it is no SVG.
export function picture(text) {
  const read = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  return read.nodeName === 'svg' ? document.importNode(read, true) : null;
}

let labels = 0;

// A row with a label and what it is for.
export function row(text, control) {
  control.id ||= `control-${++labels}`;
  return element('div', { className: 'row' }, element('label', { htmlFor: control.id }, text), control);
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// Offers a text, or bytes, as a file.
export function download(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
