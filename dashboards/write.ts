import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboardFiles } from './grafana/boards.ts';
import { ruleFiles } from './prometheus/rule-files.ts';

/** Writes the rules of Prometheus and the dashboards of Grafana anew from their tables. */
const folders = { prometheus: ruleFiles, grafana: dashboardFiles };
for (const [folder, files] of Object.entries(folders))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(import.meta.dirname, folder, name), text);
