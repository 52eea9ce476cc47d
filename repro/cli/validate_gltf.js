// node validate_gltf.js FILE...: the reports of the Khronos glTF validator as JSON, one per file. The package
// gltf-validator is looked for along NODE_PATH; ci/setup.sh installs it.
const fs = require('fs');
const path = require('path');
const validator = require('gltf-validator');

async function report(file) {
  const beside = (uri) => new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri))));
  const result = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 0,
    writeTimestamp: false,
    externalResourceFunction: async (uri) => beside(uri),
  });
  return {
    file,
    errors: result.issues.messages.filter((m) => m.severity === 0),
    warnings: result.issues.messages.filter((m) => m.severity === 1),
  };
}

Promise.all(process.argv.slice(2).map(report)).then((reports) => console.log(JSON.stringify(reports)));
