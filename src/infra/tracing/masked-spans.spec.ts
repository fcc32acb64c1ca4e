import { type Attributes, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { newLinkToken, newToken } from '#kernel/access/token-format';
import { MaskingExporter } from './masked-spans';

const SECRET = 'planted-secret';

async function exported(kind: SpanKind, name: string, attributes: Attributes): Promise<Attributes & { name: string }> {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new MaskingExporter(exporter))] });
  const span = provider.getTracer('test').startSpan(name, { kind, attributes });
  span.recordException(new TypeError(`invalid input: "${SECRET}"`));
  span.setStatus({ code: SpanStatusCode.ERROR, message: SECRET });
  span.end();
  await provider.forceFlush();
  const [finished] = exporter.getFinishedSpans();
  // red when: masked() copies events or the status unchanged
  expect(JSON.stringify([finished!.events, finished!.status])).not.toContain(SECRET);
  expect(finished!.status.code).toBe(SpanStatusCode.ERROR);
  expect(finished!.events).toMatchObject([{ name: 'exception', attributes: { 'exception.type': 'TypeError' } }]);
  return { ...finished!.attributes, name: finished!.name };
}

describe('an exported span', () => {
  // red when: url.path is masked by redactTokens alone, or attributes outside EXPORTED are copied
  it('has a path without its token and no values that the client chose', async () => {
    const left = await exported(SpanKind.SERVER, 'GET', {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'url.path': `/download/${newLinkToken()}/a.ipa`,
      'url.query': SECRET,
      'user_agent.original': SECRET,
      'client.address': '203.0.113.7',
      'server.address': SECRET,
    });
    expect(left).toEqual({
      name: 'GET',
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'url.path': '/download/[token]/a.ipa',
    });
  });

  // red when: url.full is masked by redactTokens alone
  it("has a store's address without user, password and signature", async () => {
    const url = `https://user:${SECRET}@store.example.com:8333/bucket/builds/1?X-Amz-Signature=${SECRET}`;
    const left = await exported(SpanKind.CLIENT, 'PUT', { 'url.full': url, 'server.address': 'store.example.com' });
    expect(left).toEqual({
      name: 'PUT',
      'url.full': 'https://store.example.com:8333/bucket/builds/1',
      'server.address': 'store.example.com',
    });
  });

  // red when: the name or the statement is copied unchanged
  it('has a statement without parameters and without tokens in its text', async () => {
    const text = `SELECT 1 FROM x WHERE a = $1 AND b = '${newToken('ag_prj_')}'`;
    const left = await exported(SpanKind.CLIENT, `pg.query:${newToken('ag_pat_')}`, {
      'db.query.text': text,
      'db.postgresql.values': [SECRET],
    });
    expect(left).toEqual({
      name: 'pg.query:ag_[redacted]',
      'db.query.text': "SELECT 1 FROM x WHERE a = $1 AND b = 'ag_[redacted]'",
    });
  });
});
