// Runs in the browser: how many pixels of a floor lie in the shadow of what was loaded.
const SIZE = 128;

export async function shadowOf(THREE, renderer, root, casts, read) {
  const box = new THREE.Box3().setFromObject(root), middle = box.getCenter(new THREE.Vector3()), size = box.getSize(new THREE.Vector3()).length();
  root.traverse((o) => {
    if (!o.isSkinnedMesh) return;
    Object.assign(o, {castShadow: casts, receiveShadow: true, frustumCulled: false});
    // It casts a shadow and is not seen itself.
    Object.assign(o.material, {colorWrite: false, depthWrite: false});
  });
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(3 * size, 3 * size).rotateX(-Math.PI / 2), new THREE.MeshLambertMaterial());
  floor.position.copy(middle).y = box.min.y - 0.1 * size;
  floor.receiveShadow = true;
  const light = new THREE.DirectionalLight('white', 3);
  light.position.copy(middle).add(new THREE.Vector3(0.3, 1, 0.2).multiplyScalar(size));
  light.target.position.copy(middle);
  light.castShadow = true;
  Object.assign(light.shadow.camera, {left: -size, right: size, top: size, bottom: -size, near: 0.01 * size, far: 5 * size});
  const camera = new THREE.OrthographicCamera(-size, size, size, -size, 0.01 * size, 10 * size);
  camera.position.copy(middle).y += 3 * size;
  camera.lookAt(middle);
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.BasicShadowMap;
  const scene = new THREE.Scene().add(root, floor, light, light.target), target = new (THREE.WebGLRenderTarget ?? THREE.RenderTarget)(SIZE, SIZE);
  renderer.setRenderTarget(target);
  for (let i = 0; i < 2; ++i) await (renderer.renderAsync ?? renderer.render).call(renderer, scene, camera);
  const pixels = new Uint8Array(4 * SIZE * SIZE);
  await read(target, pixels);
  let dark = 0;
  for (let i = 0; i < pixels.length; i += 4) dark += pixels[i + 3] > 0 && pixels[i] < 16;
  return dark;
}
