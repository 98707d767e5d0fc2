import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alerts } from '#dashboards/prometheus/alert-table.ts';

/** Anchors of a page's headings, as GitHub makes them. */
function anchorsOf(markdown: string): readonly string[] {
  const headings = [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every alert has its section in the runbook', () => {
  const anchors = new Set(anchorsOf(readFileSync(join(import.meta.dirname, '../../deploy/RUNBOOK.md'), 'utf8')));
  const missing = alerts.filter(({ anchor }) => !anchors.has(anchor));
  expect(missing.map(({ name, anchor }) => `${name}: #${anchor}`)).toEqual([]);
});
