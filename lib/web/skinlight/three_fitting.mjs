// What a skinned mesh of three.js has of its bake.
import {fitting} from './record.mjs';

const NAMES = {POSITION: 'position', NORMAL: 'normal', TANGENT: 'tangent', JOINTS_0: 'skinIndex', WEIGHTS_0: 'skinWeight'};

// {reason} or {unit}, as fitting() has it.
export function fittingOf({geometry, userData}) {
  return fitting({mark: userData.skinlight, fit: geometry.userData.skinlight, engine: 'three.js', index: geometry.index?.array,
    attributeCount: Object.keys(geometry.attributes).length,
    attribute: (name) => {
      const found = geometry.attributes[NAMES[name] ?? name.toLowerCase()];
      return found && {type: (found.isInterleavedBufferAttribute ? found.data.array : found.array).constructor.name,
        normalized: !!found.normalized, count: found.count, at: (v, c) => found.getComponent(v, c)};
    }});
}

// Gives every skinned mesh below `root` materials of their own, made by own(material, mesh, unit), or tells why not.
export function corrected(root, own, refused = () => '') {
  const done = {corrected: [], left: []};
  root.traverse((mesh) => {
    if (!mesh.isSkinnedMesh) return;
    const {reason, unit} = fittingOf(mesh), no = reason || refused(mesh);
    if (no) {
      done.left.push({mesh, reason: no});
      return;
    }
    const made = (material) => own(material, mesh, unit);
    mesh.material = Array.isArray(mesh.material) ? mesh.material.map(made) : made(mesh.material);
    done.corrected.push(mesh);
  });
  return done;
}
