import { expect, test } from 'vitest';
import { runCommand } from '#test/helpers/processes.ts';

test('error: a process that hangs after it was stopped ends in time, and says what hung', async () => {
  const module = import.meta.resolve('#src/system/end-in-time.ts');
  const code = `
    const { endInTime } = await import(${JSON.stringify(module)});
    const end = endInTime(100, () => ({ fatal: (text) => console.error(text) }));
    end.stage('the drain');
    setInterval(() => {}, 1_000);
    console.log('waiting');`;
  await using hanging = runCommand(process.execPath, ['--input-type=module', '--eval', code], {});
  await hanging.printed(/waiting/);
  hanging.child.kill('SIGTERM');
  expect(await hanging.ended).toBe(1);
  expect(hanging.output()).toContain('the drain did not end within 3600 ms after the stop');
});
