import { prometheusProgram } from '#dashboards/prometheus/program.ts';

/** Prometheus' own checker; undefined where there is none. */
export function promtool(): string | undefined {
  return prometheusProgram('promtool');
}
