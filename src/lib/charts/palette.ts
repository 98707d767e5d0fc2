/**
 * Colours that mean the same in every chart of the market, told apart by people who see few colours (Okabe and Ito,
 * adapted): what dampens moves is blue and what amplifies them orange; calls are teal and puts magenta.
 */
export const palettes = {
  light: {
    plus: '#3b5bdb',
    minus: '#d9730d',
    call: '#0b7285',
    put: '#ae3ec9',
    spot: '#1f2329',
    flip: '#c92a2a',
    quiet: '#5c6470',
    faint: '#adb5bd',
    plusWash: 'rgba(59, 91, 219, 0.14)',
    minusWash: 'rgba(217, 115, 13, 0.16)',
    band: 'rgba(92, 100, 112, 0.10)',
    ground: '#ffffff',
  },
  dark: {
    plus: '#748ffc',
    minus: '#ff922b',
    call: '#3bc9db',
    put: '#da77f2',
    spot: '#f1f3f5',
    flip: '#ff8787',
    quiet: '#9aa3b0',
    faint: '#5c6470',
    plusWash: 'rgba(116, 143, 252, 0.18)',
    minusWash: 'rgba(255, 146, 43, 0.18)',
    band: 'rgba(154, 163, 176, 0.12)',
    ground: '#161a21',
  },
} as const;

export type Palette = { readonly [Name in keyof (typeof palettes)['light']]: string };

/** Low volatility to high, dark to light: in order also for people who see few colours (after Viridis). */
export const volatilityRamp = ['#443983', '#31688e', '#21918c', '#35b779', '#90d743', '#fde725'] as const;
