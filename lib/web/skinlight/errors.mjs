// What cannot be used, in the words of the library: `file: element: reason`, without the parts that are "".
export class InputError extends Error {
  constructor(file, element, reason) {
    super([file, element, reason].filter(Boolean).join(': '));
    this.name = 'InputError';
    Object.assign(this, {file, element, reason});
  }
}
