// Names of the constants of skinlight.h, as the program `skinlight` has them.
import {InputError} from './errors.mjs';

const KINDS = ['method', 'mode', 'guard', 'averaging', 'record', 'layout', 'format', 'missingNormals'];

export class Names {
  #of = {};
  constructor(memory) {
    KINDS.forEach((kind, of) => {
      const names = [];
      for (let pointer; (pointer = memory.module._skinlight_name(of, names.length)) !== 0;) names.push(memory.text(pointer));
      this.#of[kind] = names;
    });
  }
  list(kind) {
    if (!KINDS.includes(kind)) throw new InputError('', 'kind', `'${kind}' is none of ${KINDS.join(', ')}`);
    return [...this.#of[kind]];
  }
  number(kind, name) {
    const number = this.#of[kind].indexOf(name);
    if (number < 0) throw new InputError('', kind, `'${name}' is none of ${this.#of[kind].join(', ')}`);
    return number;
  }
}

// An integer that the interface can hold.
export function integer(what, value, least = 0) {
  if (!Number.isInteger(value)) throw new InputError('', what, `${value} is no integer`);
  if (value < least || value >= 2 ** 31) throw new InputError('', what, `${value} is out of range`);
  return value;
}

// The same of a count that may be left out, which the interface has 0 for.
export function countOr0(what, value) {
  return value === undefined ? 0 : integer(what, value, 1);
}
