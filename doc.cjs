process.chdir('/work/wt/docs');
require('/work/wt/docs/test/support/processes/run-typescript.cjs');
require('/work/wt/docs/node_modules/reflect-metadata');
const { previewApp } = require('/work/wt/docs/scripts/reference/preview-app.ts');
const { openApiDocument } = require('/work/wt/docs/src/app/openapi/openapi-document.ts');
(async()=>{const app=await previewApp(); require('fs').writeFileSync('/tmp/openapi-docs.json',JSON.stringify(openApiDocument(app),null,1)); await app.close(); process.exit(0)})();
