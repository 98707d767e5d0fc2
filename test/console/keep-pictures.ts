import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#src/lib/errors.ts';
import { screenshots } from './visit.ts';

/** What docs/console.md shows, by the name of the screenshot that the tests of the console make. */
export const pictures: Readonly<Record<string, string>> = {
  'overview.png': 'overview-paused-1280-light.png',
  'job.png': 'job-1280-dark.png',
  'market.png': 'market-levels-1280-light.png',
  'volatility.png': 'market-volatility-1280-dark.png',
  'approval.png': 'studio-approval-1280-light.png',
  'render.png': 'studio-render-1280-light.png',
  'mission.png': 'mission-sealed-1280-light.png',
};

/** Takes the pictures of the last run of the tests into `docs/pictures/console`. */
function keepPictures(): void {
  const folder = join(import.meta.dirname, '../../docs/pictures/console');
  for (const [name, screenshot] of Object.entries(pictures)) {
    const made = join(screenshots, screenshot);
    if (!existsSync(made))
      throw new AppError('not_found', `expected ${made}, got none: run "npm run test:int -- test/console" first.`);
    copyFileSync(made, join(folder, name));
  }
}

if (import.meta.main) keepPictures();
