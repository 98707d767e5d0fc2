import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Config } from '#src/system/config/config-type.ts';

/** Sends the spans of this process to the OTLP endpoint of the settings, until it is closed. */
export function sendSpans(config: Config, role: string): { readonly close: () => Promise<void> } {
  const endpoint = (config.OTEL_EXPORTER_OTLP_ENDPOINT ?? '').replace(/\/$/, '');
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.OTEL_SERVICE_NAME,
      'service.instance.id': `${role}-${process.pid}`,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  });
  trace.setGlobalTracerProvider(provider);
  return { close: () => provider.shutdown() };
}
