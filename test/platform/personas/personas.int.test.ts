import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { personaOf } from '#src/platform/personas/personas.ts';
import { testApi } from '#test/http/api.ts';

test('anybody sees the personas, and no caller the instructions to providers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'proofline-personas-'));
  try {
    const path = join(folder, 'personas.json');
    const ada = { id: 'ada', title: 'Ada', description: 'Explains machines', voice: 'nova', language: 'en-GB' };
    await writeFile(path, JSON.stringify([{ ...ada, instructions: 'In a grey study.' }]));
    await using api = await testApi({ PERSONAS_FILE: path });
    const response = await api.app.inject('/api/v2/personas');
    expect(response).toMatchObject({ statusCode: 200, headers: { 'access-control-allow-origin': '*' } });
    const { object, data } = response.json();
    expect([object, data.map(({ id }: { id: string }) => id)]).toEqual(['list', ['narrator', 'ada']]);
    expect(data[1]).toEqual(ada);
    expect(personaOf(api.context, 'ada').instructions).toBe('In a grey study.');
    expect(() => personaOf(api.context, 'eve')).toThrow('(narrator, ada), got "eve"');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('error: with personas that are not right the API does not start, and says why', async () => {
  await expect(testApi({ PERSONAS_FILE: '/nowhere/personas.json' })).rejects.toThrow(
    'PERSONAS_FILE: expected a file that can be read at /nowhere/personas.json, got ENOENT.',
  );
});
