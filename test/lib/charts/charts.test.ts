import { expect, test } from 'vitest';
import { readImports } from '#test/imports.ts';

test('charts are options alone: they load neither Node, nor a browser, nor what draws', () => {
  const imports = readImports().filter(({ from }) => from.startsWith('src/lib/charts/'));
  expect(imports.length).toBeGreaterThan(5);
  const others = imports.filter(({ to, kind }) => kind !== 'type' && !to?.startsWith('src/lib/charts/'));
  expect(others.map(({ from, specifier }) => `${from}: ${specifier}`)).toEqual([]);
});

test('of the commands, one loads what draws, and only when it draws', () => {
  const loads = readImports().filter(({ specifier }) => specifier.endsWith('draw-svg.ts'));
  const inSource = loads.filter(({ from, kind }) => from.startsWith('src/') && kind !== 'type');
  expect(inSource.map(({ from, kind }) => [from, kind])).toEqual([['src/commands/data/picture.ts', 'dynamic']]);
});
