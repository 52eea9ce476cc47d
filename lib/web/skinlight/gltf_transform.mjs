// bake() as a step of gltf-transform:
//
//   await document.transform(quantize(), bake(await load(), {normals: 'deform-vectors'}));
import {WebIO} from '@gltf-transform/core';
import {cloneDocument} from '@gltf-transform/functions';

const COMPRESSED = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_meshopt_compression'];

// The document as a .glb whose pictures are left out: the library does not look at them.
async function plainFile(document) {
  const plain = cloneDocument(document), root = plain.getRoot();
  for (const extension of root.listExtensionsUsed()) if (COMPRESSED.includes(extension.extensionName)) extension.dispose();
  for (const texture of root.listTextures()) texture.setImage(new Uint8Array(1)).setMimeType('image/png');
  const [buffer] = root.listBuffers();
  for (const other of root.listBuffers()) if (other !== buffer) other.dispose();
  for (const accessor of root.listAccessors()) accessor.setBuffer(buffer);
  const io = new WebIO().registerExtensions(root.listExtensionsUsed().map(({constructor}) => constructor));
  return {io, bytes: await io.writeBinary(plain)};
}

// Takes over what the bake has changed of the vertices and the marks.
function take(document, baked) {
  const root = document.getRoot(), known = new Map();
  const buffer = root.listBuffers()[0] ?? document.createBuffer();
  const copied = (accessor) => {
    if (!known.has(accessor))
      known.set(accessor, document.createAccessor(accessor.getName()).setType(accessor.getType()).setArray(accessor.getArray().slice())
        .setNormalized(accessor.getNormalized()).setBuffer(buffer));
    return known.get(accessor);
  };
  const same = (a, b) => a && a.getNormalized() === b.getNormalized() && a.getComponentType() === b.getComponentType() &&
    a.getCount() === b.getCount() && a.getArray().every((x, i) => x === b.getArray()[i]);
  // Tools that drop what they do not know of meshes keep this.
  const {extras} = baked.getRoot().getAsset();
  if (extras?.skinlight) root.getAsset().extras = {...root.getAsset().extras, skinlight: extras.skinlight};
  const takeAttributes = (to, source) => {
    for (const name of to.listSemantics()) if (!source.getAttribute(name)) to.setAttribute(name, null);
    for (const name of source.listSemantics()) {
      const attribute = source.getAttribute(name);
      if (!same(to.getAttribute(name), attribute)) to.setAttribute(name, copied(attribute));
    }
  };
  const from = baked.getRoot().listMeshes();
  root.listMeshes().forEach((mesh, m) => {
    mesh.setExtras(from[m].getExtras());
    mesh.listPrimitives().forEach((primitive, p) => {
      const source = from[m].listPrimitives()[p], indices = source.getIndices(), targets = source.listTargets();
      primitive.setExtras(source.getExtras());
      takeAttributes(primitive, source);
      // Flat normals split every corner: another order of vertices, without indices, in morph targets too.
      if (!indices) primitive.setIndices(null);
      else if (!same(primitive.getIndices(), indices)) primitive.setIndices(copied(indices));
      primitive.listTargets().forEach((target, t) => takeAttributes(target, targets[t]));
    });
  });
}

export function bake(skinlight, options = {}) {
  return async function bake(document) {
    const {io, bytes} = await plainFile(document);
    const {files} = skinlight.bake(bytes, 'document.glb', {...options, out: 'document.glb'});
    take(document, await io.readBinary(files['document.glb']));
  };
}
