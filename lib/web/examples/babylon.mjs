// A baked character in Babylon.js with right normals: babylon.html?model=hero-baked.glb. Bundle it, or name
// `@babylonjs/core`, `@babylonjs/loaders` and `skinlight` in an import map.
import {Engine} from '@babylonjs/core/Engines/engine.js';
import {HemisphericLight} from '@babylonjs/core/Lights/hemisphericLight.js';
import {Vector3} from '@babylonjs/core/Maths/math.vector.js';
import {LoadAssetContainerAsync} from '@babylonjs/core/Loading/sceneLoader.js';
import {Scene} from '@babylonjs/core/scene.js';
import '@babylonjs/core/Animations/animatable.js';
import '@babylonjs/core/Helpers/sceneHelpers.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import {correctNormals} from 'skinlight/babylon';  // before loading: it keeps what the loader would drop

const canvas = document.getElementById('view'), told = document.getElementById('told');
const engine = new Engine(canvas, true), scene = new Scene(engine);
new HemisphericLight('sky', new Vector3(-0.5, 1, 0.5), scene);

const container = await LoadAssetContainerAsync(new URLSearchParams(location.search).get('model') ?? 'model.glb', scene, {pluginExtension: '.glb'});
const {corrected, left} = correctNormals(container.meshes);  // this is all
told.textContent = [`${corrected.length} meshes with right normals`, ...left.map(({mesh, reason}) => `${mesh.name} ${reason}`)].join('\n');
container.addAllToScene();
scene.createDefaultCamera(true, true, true);
container.animationGroups[0]?.start(true);
addEventListener('resize', () => engine.resize());
engine.runRenderLoop(() => scene.render());
