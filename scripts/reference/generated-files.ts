import 'reflect-metadata';
import { openApiDocument } from '#app/openapi/openapi-document';
import { accessPage } from './access-table';
import { accountExportPage } from './account-export';
import { agentToolsPage } from './agent-tools';
import { auditEventsPage } from './audit-events';
import { clientTypes } from './client-types';
import { configurationPage, environmentExample } from './configuration';
import { decisionsPage } from './decisions';
import { errorPages } from './error-catalogue';
import { helpWords } from './help-words';
import { clientMarkedText } from './marked-text';
import { metricsPage } from './metrics';
import { modulesPage } from './module-graph';
import { previewApp } from './preview-app';

/** All generated files of the repository: path → content. Deterministic. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const app = await previewApp();
  try {
    const document = openApiDocument(app);
    return new Map([
      ['.env.example', environmentExample()],
      ['docs/generated/access.md', accessPage(app, document)],
      ['docs/generated/account-export.md', accountExportPage()],
      ['docs/generated/agent-tools.md', agentToolsPage()],
      ['docs/generated/audit-events.md', auditEventsPage()],
      ['docs/generated/configuration.md', configurationPage()],
      ['docs/generated/decisions.md', decisionsPage()],
      ...errorPages(app, document),
      ['docs/generated/metrics.md', metricsPage()],
      ['docs/generated/modules.md', modulesPage()],
      ['docs/generated/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
      ['packages/cli/src/commands/setup/help-words.ts', helpWords()],
      ['packages/client/src/generated.ts', clientTypes(document)],
      ['packages/client/src/marked-text.ts', clientMarkedText()],
    ]);
  } finally {
    await app.close();
  }
}
