/** Shocks that happen together; the fields of a stress scenario. */
export interface Shock {
  spot_shock_pct?: number;
  vol_shock_pct?: number;
  days?: number;
}

export interface ShocksRead {
  readonly shocks: readonly Shock[];
  /** What was assumed, or asked and cannot be had. */
  readonly notes: readonly string[];
  /** The text without the clauses about volatility, which name no metric. */
  readonly text: string;
}

const down =
  'drop|drops|dropped|fall|falls|fell|decline|declines|lose|loses|sink|sinks|crash|crashes|plunge|plunges|tank|tanks|down|lower|sells off|selloff|sell-off|slide|slides|dip|dips|collapse|collapses|decrease|decreases|minus';
const up =
  'rise|rises|rose|gain|gains|rally|rallies|jump|jumps|up|climb|climbs|higher|spike|spikes|increase|increases|surge|surges|pop|pops|plus|bounce|bounces';
const DOWN = new RegExp(String.raw`\b(?:${down})\b`);
const UP = new RegExp(String.raw`\b(?:${up})\b`);
const VOL = /\b(?:vols?|volatility|volatilities|iv|vix|implied)\b/;
const CLAUSES = /[,;?!:()]|\.(?!\d)|\b(?:and|or|while|with|but|then|if|when|versus|vs)\b/;
/** A number that a shock can be: not the level after "to" or "at", and not a count of days. */
const NUMBER =
  /(?<!\b(?:to|at|above|below|near|around|under|over|gen|generation) \$?)(?<![\w.])(?<sign>[+-]?)(?<value>\d{1,4}(?:\.\d{1,6})?)(?![\d.]*\d) ?(?<unit>%|percent|pct|bps?\b|basis points|vol points?|points?\b|pts?\b)?(?! ?-?(?:dte|days?|sessions?|weeks?|months?|minutes?|mins?|hours?|strike|am|pm))/;

/**
 * The shocks a folded question names, such as "spx drops 3% and vol rises 10" or "-5% spot, +20% vol after 2 days". A
 * clause has one number; a new shock of spot opens a new scenario. Numbers without a unit are percent, and for
 * volatility a percentage of it.
 */
export function readShocks(folded: string): ShocksRead {
  const shocks: Shock[] = [];
  const notes: string[] = [];
  let text = folded;
  for (const clause of folded.split(CLAUSES)) {
    const match = NUMBER.exec(clause);
    const sign = match === null ? 0 : directionOf(clause, match.groups!['sign']!);
    if (match === null || sign === 0) continue;
    const isVol = VOL.test(clause);
    const percent = percentOf(match.groups!, isVol, notes);
    if (percent === null) continue;
    const field = isVol ? 'vol_shock_pct' : 'spot_shock_pct';
    if (sign * percent <= -100 || percent > 1000) {
      notes.push(`a shock of ${sign * percent} % is outside -100 to 1000 and was left out`);
      continue;
    }
    const last = shocks.at(-1);
    if (last !== undefined && last[field] === undefined && isVol) last[field] = sign * percent;
    else shocks.push({ [field]: sign * percent });
    if (isVol) text = text.replace(clause, ' ');
  }
  const days = daysOf(folded);
  if (days !== null) for (const shock of shocks) shock.days = days;
  return { shocks, notes, text };
}

function directionOf(clause: string, sign: string): -1 | 0 | 1 {
  if (sign !== '') return sign === '-' ? -1 : 1;
  const [fall, rise] = [clause.search(DOWN), clause.search(UP)];
  if (fall === -1 && rise === -1) return 0;
  return rise === -1 || (fall !== -1 && fall < rise) ? -1 : 1;
}

function percentOf(groups: Record<string, string | undefined>, isVol: boolean, notes: string[]): number | null {
  const value = Number(groups['value']);
  const unit = groups['unit'];
  if (unit === undefined) notes.push(`${value} without a unit was taken as percent${isVol ? ' of volatility' : ''}`);
  if (unit === undefined || unit === '%' || unit === 'percent' || unit === 'pct') return value;
  if (unit.startsWith('b')) return value / 100;
  notes.push(`a shock in ${isVol ? 'vol points' : 'points'} cannot be run; give it in percent`);
  return null;
}

function daysOf(folded: string): number | null {
  const match = /\b(?:in|after|over|within|for) (?<count>\d{1,4}) ?(?:calendar )?days?\b/.exec(folded);
  if (match !== null) return Math.min(3650, Number(match.groups!['count']));
  return /\b(?:overnight|tomorrow)\b/.test(folded) ? 1 : null;
}
