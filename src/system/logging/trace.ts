import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Config } from '#src/system/config/config-type.ts';

const tracer = () => trace.getTracer('proofline');

/**
 * Sends spans to the OTLP endpoint of the settings. Without one nothing is recorded and nothing is sent; a caller's trace
 * still goes through to jobs and threads, and so to the logs.
 */
export async function openTrace(config: Config, role: string): Promise<{ readonly close: () => Promise<void> }> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT) return { close: async () => {} };
  // two hundred files that only those load who send
  const { sendSpans } = await import('./send-spans.ts');
  return sendSpans(config, role);
}

/** The W3C `traceparent` of the work going on, to be kept with a job or handed to a thread; null when none. */
export function traceparent(): string | null {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'] ?? null;
}

/** Runs `work` in a span under `parent` (a `traceparent`), which ends with it and carries its failure. */
export async function inSpan<T>(
  name: string,
  parent: string | null,
  attributes: Record<string, string | number>,
  work: (span: Span) => Promise<T>,
  kind: SpanKind = SpanKind.CONSUMER,
): Promise<T> {
  const under = parent ? propagation.extract(context.active(), { traceparent: parent }) : context.active();
  return await tracer().startActiveSpan(name, { attributes, kind }, under, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : 'failed' });
      throw error;
    } finally {
      span.end();
    }
  });
}
