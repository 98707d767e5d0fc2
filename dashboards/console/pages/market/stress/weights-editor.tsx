import { NumberInput } from '@mantine/core';
import { type MarketSymbol, symbolNames } from '#console/pages/market/parts/symbols.ts';
import classes from './stress-panel.module.css';

export type Weights = Readonly<Partial<Record<MarketSymbol, number>>>;

interface Props {
  readonly weights: Weights;
  readonly onChange: (weights: Weights) => void;
}

/** Composition of a portfolio: a weight for each symbol in it. Below zero is sold. */
export function WeightsEditor({ weights, onChange }: Props) {
  const set = (symbol: MarketSymbol, value: number | null) => {
    const { [symbol]: _before, ...others } = weights;
    onChange(value === null ? others : { ...others, [symbol]: value });
  };
  return (
    <fieldset className={classes['weights']}>
      <legend>Weights; empty is not in it</legend>
      {symbolNames.map((symbol) => (
        <NumberInput
          key={symbol}
          label={symbol}
          placeholder="–"
          step={0.1}
          value={weights[symbol] ?? ''}
          onChange={(value) => set(symbol, value === '' ? null : Number(value))}
        />
      ))}
    </fieldset>
  );
}
