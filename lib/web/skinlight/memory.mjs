// Calls into the module: arrays, structs and strings for the length of one call.
import {InputError} from './errors.mjs';
import {layout, readStruct, writeStruct} from './structs.mjs';

const OK = 0, OUT_OF_MEMORY = 3, INTERNAL = 4;
const TYPES = new Map([[Float32Array, 0], [Float64Array, 1], [Int32Array, 2], [Uint8Array, 3], [Uint16Array, 4],
  [Uint32Array, 5]]);
const REALS = [Float32Array, Float64Array];

export class Memory {
  constructor(module) {
    this.module = module;
    this.kept = [];  // what the call that is going on has allocated
  }

  get buffer() { return this.module.HEAPU8.buffer; }
  text = (pointer) => this.module.UTF8ToString(pointer);

  // What `work` allocates is freed when it ends. Calls nest.
  scope(work) {
    const before = this.kept;
    this.kept = [];
    try {
      return work();
    } finally {
      for (const pointer of this.kept) this.module._free(pointer);
      this.kept = before;
    }
  }
  allocate(bytes) {
    const pointer = this.module._malloc(Math.max(bytes, 8));
    if (pointer === 0) throw new RangeError(`skinlight: no memory for ${bytes} bytes`);
    this.kept.push(pointer);
    return pointer;
  }
  string(value) {
    const bytes = this.module.lengthBytesUTF8(value) + 1, at = this.allocate(bytes);
    this.module.stringToUTF8(value, at, bytes);
    return at;
  }

  // A struct with these members. Returns where it is.
  struct(name, values = {}) {
    const at = this.allocate(layout(name).size);
    writeStruct(this, name, at, values);
    return at;
  }
  // `count` of them one after another.
  structs(name, rows) {
    const {size} = layout(name), at = this.allocate(size * rows.length);
    rows.forEach((values, i) => writeStruct(this, name, at + i * size, values));
    return at;
  }
  read(name, at) { return readStruct(this, name, at, this.text); }

  // The numbers of a flat array as skinlight_array; none for undefined. `what` names it in errors.
  reals(numbers, what, length) { return this.#array(numbers, what, length, REALS, 'a Float32Array or a Float64Array'); }
  integers(numbers, what, length) {
    return this.#array(numbers, what, length, [Int32Array, Uint8Array, Uint16Array, Uint32Array],
      'an Int32Array, Uint8Array, Uint16Array or Uint32Array');
  }
  #array(numbers, what, length, kinds, expected) {
    if (numbers === undefined || numbers === null) return {data: 0, stride: 0, type: 0};
    const kind = kinds.find((type) => numbers instanceof type);
    if (!kind) throw new InputError('', what, `is not ${expected}`);
    if (length !== undefined && numbers.length !== length)
      throw new InputError('', what, `has ${numbers.length} numbers, expected ${length}`);
    const at = this.allocate(numbers.byteLength);
    new kind(this.buffer, at, numbers.length).set(numbers);
    return {data: at, stride: 0, type: TYPES.get(kind)};
  }

  // Room for `length` numbers as skinlight_output, and take() that copies them out of the module afterwards.
  output(length, kind = Float64Array) {
    const at = this.allocate(length * kind.BYTES_PER_ELEMENT);
    return {data: at, stride: 0, type: TYPES.get(kind), take: () => new kind(this.buffer, at, length).slice()};
  }

  // Calls a function of skinlight.h that returns a status; its complaint is thrown.
  call(name, ...values) {
    const status = this.module[`_skinlight_${name}`](...values);
    if (status === OK) return;
    const part = (of) => this.text(this.module[`_skinlight_error_${of}`]());
    if (status === OUT_OF_MEMORY) throw new RangeError(`skinlight: ${part('text')}`);
    if (status === INTERNAL) throw new Error(`skinlight: ${part('text')}`);
    throw new InputError(part('file'), part('element'), part('reason'));
  }
  // The same for one that makes a handle, its last argument.
  handle(name, ...values) {
    const at = this.allocate(4);
    this.call(name, ...values, at);
    return new DataView(this.buffer).getUint32(at, true);
  }
  // The same for one that fills a struct, its last argument.
  fill(struct, name, ...values) {
    const at = this.struct(struct);
    this.call(name, ...values, at);
    return this.read(struct, at);
  }
}
