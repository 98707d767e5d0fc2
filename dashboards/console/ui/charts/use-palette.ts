import { useComputedColorScheme } from '@mantine/core';
import { type Palette, palettes } from '#src/lib/charts/palette.ts';

/** The colours of the scheme that is shown. */
export function usePalette(): Palette {
  return palettes[useComputedColorScheme('light')];
}
