// The state of the page in the fragment of its address, so that a link shows what its sender saw. Version 1.
const VERSION = '1';

export function written(state) {
  const parameters = new URLSearchParams({v: VERSION});
  for (const [name, value] of Object.entries(state)) if (value !== undefined && value !== null) parameters.set(name, String(value));
  return `#${parameters}`;
}

// {} for a fragment of another version or of none.
export function read(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  if (parameters.get('v') !== VERSION) return {};
  parameters.delete('v');
  return Object.fromEntries(parameters);
}
