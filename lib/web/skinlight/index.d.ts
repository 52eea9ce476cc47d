/** Right normals of skinned meshes, their truth and their errors.
 *
 * V vertices, split at seams as you have them, F faces, B bones, N influences per vertex, S slots, M morph targets. Arrays
 * are flat, row after row: V x 3 are 3 V numbers. A pose is B x 12: per bone the 3 x 4 matrix from rest to pose, row by row,
 * acting on columns (posed world times inverse bind). What cannot be used throws InputError in the words of the library. */

/** `file: element: reason`, without the parts that are "". */
export class InputError extends Error {
  readonly file: string;
  readonly element: string;
  readonly reason: string;
  constructor(file: string, element: string, reason: string);
}

export type Reals = Float32Array | Float64Array;
export type Integers = Int32Array | Uint8Array | Uint16Array | Uint32Array;
export type Method = 'lbs' | 'dqs' | 'crs' | 'sbs' | 'log' | 'dib';
export type Mode = 'usual' | 'standard' | 'inverse-transpose' | 'cofactors' | 'tangent-pair' | 'deform-naive' | 'deform-eq13' | 'deform' |
  'exact' | 'smoothed' | 'exact-fixed-centre' | 'deform-vectors' | 'deform-frames';
export type Guard = 'none' | 'clamp' | 'joint' | 'test-then-fix';
export type Averaging = 'usual' | 'mixed-voronoi' | 'area' | 'angle' | 'angle-area' | 'uniform' | 'max-1999' | 'cotangent';
export type Output = 'positions' | 'normals' | 'tangents' | 'bitangents';
/** Files that a .gltf names, by the name that it gives them, as a URI or what that means; '../' is a folder above. */
export type Files = Record<string, Uint8Array>;

/** One way to skin. Pairs that a method does not have are refused with those that it has, guards where none acts. */
export interface Way {
  method?: Method;
  mode?: Mode;
  guard?: Guard;
  /** The guard's own numbers, both or none. */
  guardC?: number;
  guardK?: number;
}

/** Flat ones of the faces, every corner a vertex where several planes meet; smooth ones, averaged around every position; as
 * usual: flat of glTF, which says so, smooth of other formats. */
export type MissingNormals = 'usual' | 'flat' | 'smooth';

export interface RigOptions {
  /** Of files: kept per vertex, else 4. */
  influences?: number;
  /** Bones per vertex of what normals need, 1 .. 16; else 4, or as many as the rig's. */
  slots?: number;
  averaging?: Averaging;
  /** Of files without normals, see MissingNormals; else 'usual'. */
  missingNormals?: MissingNormals;
}

export interface RigArrays {
  positions: Reals;
  /** F x 3, counter-clockwise seen from where normals point. */
  faces: Integers;
  /** V x N, in any order; unused slots have weight 0. */
  bones: Integers;
  weights: Reals;
  normals?: Reals;
  /** V x 4, w as in glTF. */
  tangents?: Reals;
  uv?: Reals;
  /** M V x 3. */
  morphs?: Reals;
  /** Else the largest bone and one. */
  boneCount?: number;
}

export interface Errors {
  /** Degrees. */
  mean: number; rms: number; p95: number; p99: number; max: number;
  /** Of max. */
  worstVertex: number;
  /** Vertices more than 90 degrees off. */
  flips: number;
}

export interface Slots {
  slots: number;
  /** V x S. */
  bones: Int32Array; weights: Float64Array; alpha: Float64Array; beta: Float64Array;
  flatVertices: number;
  overflow: {vertices: number; bones: number; share: number; worstVertex: number};
}
export interface Factors extends Slots {
  smoothWeight: Float64Array;
  /** V x S x 3. */
  gradient: Float64Array;
}
export interface Vectors extends Slots {
  /** V x S x 3. */
  alongT: Float64Array; alongB: Float64Array;
}
export interface Truth<A extends Reals = Float64Array> {
  positions: A;
  /** Rest normals carried by the posed triangles. */
  transported: A;
  /** Computed from the posed triangles alone. */
  recomputed: A;
  /** Each vertex's share of the deformed area. */
  areas: A;
}
export type Posed<A extends Reals = Float64Array> = Partial<Record<Output, A>>;

export interface Batch {
  readonly vertexCount: number;
  readonly outputs: Output[];
  /** Poses the mesh; `into` is filled and returned when it is given. */
  skin(pose: Reals, into?: Posed<Float32Array>): Posed<Float32Array>;
  free(): void;
}

/** A skinned mesh with what is computed once for it. It lies in the module's memory until free(). */
export interface Rig {
  readonly vertexCount: number; readonly faceCount: number; readonly boneCount: number; readonly influences: number;
  /** Vertices of the surface, seams closed. */
  readonly weldedCount: number;
  readonly clipCount: number; readonly morphCount: number; readonly warningCount: number;
  readonly clips: {name: string; duration: number}[];
  /** Throws for rigs of arrays, as pose() does. */
  readonly skeleton: {name: string; parent: number}[];
  readonly morphs: {name: string; weight: number; vertexCount: number}[];
  /** What was repaired or lost. */
  readonly warnings: {element: string; reason: string; count: number}[];
  readonly positions: Float64Array; readonly normals: Float64Array; readonly tangents: Float64Array;
  /** Throws where there are none. */
  readonly uv: Float64Array; readonly weights: Float64Array; readonly bones: Int32Array; readonly faces: Int32Array;
  clipIndex(clip: number | string | null): number;
  /** The pose of a clip, by number or name, at a time in seconds; the file's own pose for null. Throws for
   * rigs of arrays. */
  pose(clip?: number | string | null, seconds?: number): Float64Array;
  /** None where there are no morph targets, which skin() and the others take as well. */
  morphWeights(clip?: number | string | null, seconds?: number): Float64Array;
  factors(): Factors;
  vectors(): Vectors;
  /** Optimised centres of rotation at rest, V x 3. */
  centres(): Float64Array;
  /** Float32Array computes as a GPU does. */
  skin<A extends Reals = Float64Array>(pose: Reals,
    options?: Way & {outputs?: Output[]; type?: new (length: number) => A; morphWeights?: Reals}): Posed<A>;
  /** Prepared for one way to skin, in float: for every frame of an animation. */
  batch(options?: Way & {outputs?: Output[]; morphWeights?: Reals}): Batch;
  truth<A extends Reals = Float64Array>(pose: Reals,
    options?: {method?: Method; morphWeights?: Reals; type?: new (length: number) => A}): Truth<A>;
  /** Ways to skin over the same frames of a clip, 24 where nobody says, every vertex by its share of the deformed area. null:
   * what `skinlight compare` measures of `method`, else 'lbs'. */
  compare(ways?: Way[] | null, options?: {method?: Method; clip?: number | string | null; frames?: number;
    truth?: 'transported' | 'recomputed'}):
    {seconds: Float64Array; rows: {way: Way; errors: Errors; means: Float64Array}[];
      /** Of ways that do not follow the rig's morph targets: they count as wrong. */
      warnings: {element: string; reason: string; count: number}[]};
  free(): void;
}

export interface Finding {
  /** Stable: "weights-unnormalised", ... */
  kind: string;
  severity: 'note' | 'warning' | 'error';
  part: string; index: number; name: string; count: number; of: number; size: number; unit: string;
  says: string; detail: string; advice: string;
}

export interface Fit {
  id: string; kind: 'correct' | 'approximation' | 'mistake'; what: string; advice: string; same: boolean;
  mean: number; p95: number; max: number; share: number;
}
export interface Judged {
  errors: Errors; recomputed: Errors | null;
  kind: 'correct' | 'approximation' | 'mistake' | 'unexplained';
  clear: boolean; fit: Fit; next: number; undecided: boolean;
  lengths: 'unit' | 'constant' | 'not normalised' | 'unexplained';
  minLength: number; maxLength: number; wrongSigns: number; fits: Fit[];
}

export interface Skinlight {
  readonly version: string;
  readonly names: {list(kind: 'method' | 'mode' | 'guard' | 'averaging' | 'record' | 'layout' | 'format' | 'missingNormals'): string[]};
  /** A .glb, or a .gltf with the files that it names. `name` is what errors call it. */
  read(bytes: Uint8Array, name: string, options?: RigOptions & {files?: Files}): Rig;
  create(arrays: RigArrays, options?: RigOptions): Rig;
  /** A character made from formulas as the bytes of a .glb with one clip. */
  sample(name: 'pill' | 'skirt'): Uint8Array;
  /** What is wrong with the rig of a file, worst severity first. influences: what the target engine keeps, else 4. */
  check(bytes: Uint8Array, name: string, options?: {files?: Files; influences?: number; missingNormals?: MissingNormals}):
    Finding[];
  /** The glTF file with what right normals need, for shaders to read. `out` ends in .glb or .gltf; `files` are what was
   * written: `out` by this name, and beside it the pictures that it names. */
  bake(bytes: Uint8Array, name: string, options?: {files?: Files; normals?: 'deform' | 'smoothed' | 'deform-vectors' | 'deform-frames';
    layout?: 'attributes' | 'texcoord'; format?: 'f32' | 'f16' | 'snorm16' | 'snorm8'; influences?: 4 | 5 | 6 | 7 | 8;
    averaging?: Averaging; method?: 'dqs' | 'sbs' | 'log'; missingNormals?: MissingNormals; out?: string}): {files: Files; report: {unchanged: boolean; vertexCount: number;
    weldedCount: number; primitiveCount: number; slots: number; attributes: number; bytes: number;
    overflowVertices: number}};
  /** How far another program's posed normals are from the truth, and which mistake explains them. */
  judge(input: Omit<RigArrays, 'normals' | 'tangents'> & {pose: Reals; normals: Reals; tangents?: Reals;
    posedPositions?: Reals; restNormals?: Reals; restTangents?: Reals; morphWeights?: Reals; method?: Method;
    influences?: number; slots?: number; tolerance?: number}): {text: string; normals: Judged; tangents: Judged | null};
  angularErrors(directions: Reals, truth: Reals, weights?: Reals): Errors;
}

/** wasm: where skinlight.wasm is, or its bytes; else beside this module. */
export function load(options?: {wasm?: string | URL | Uint8Array | ArrayBuffer}): Promise<Skinlight>;
