import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startIdentity } from '#src/system/embedded/identity.ts';
import { runCommand, testFolder } from '#test/helpers/processes.ts';

test('error: a port that was taken meanwhile is told where its starter looks, who then takes another', async () => {
  using folder = testFolder();
  const identity = await startIdentity(folder.path, { callback: 'http://127.0.0.1:4999/auth/callback' });
  try {
    // the settings of the first name its port, which it holds
    const second = runCommand(process.execPath, [
      join(import.meta.dirname, '../../../src/system/embedded/identity-server.ts'),
      join(folder.path, 'identity/settings.json'),
    ]);
    await expect(second.ended).resolves.toBe(1);
    expect(second.output().trim().split('\n').slice(-5).join('\n')).toContain('EADDRINUSE');
  } finally {
    await identity.stop();
  }
});
