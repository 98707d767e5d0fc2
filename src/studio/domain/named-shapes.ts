import type { Aspect } from './channel-formats.ts';
import type { NamedShape } from './format-table.ts';

/** The shapes that the text of one format asks for. */
export interface ReadShapes {
  readonly aspects: readonly Aspect[];
  /** Contradictions among them, in a sentence. */
  readonly warning: string | null;
}

type Side = 'wide' | 'upright' | 'square';

const sideOf: Readonly<Record<Aspect, Side>> = { '16:9': 'wide', '9:16': 'upright', '4:5': 'upright', '1:1': 'square' };
/** Signs and words between shapes that make a list of them. */
const LIST = /[,;|+&/]|\b(?:and|or)\b/iu;

/**
 * Reads the shapes of one format's text together. A word such as "portrait" says no more than which side is the longer
 * where an exact shape stands beside it: `portrait 9:16` is 9:16. Shapes that cannot be those of one film are all made,
 * with a warning unless they are a list: `square 720x1280`, `9:16 1920x1080`, `square vertical`.
 */
export function readShapes(text: string, named: readonly NamedShape[]): ReadShapes {
  const exact = named.filter(({ by }) => by !== 'word');
  const ratios = exact.filter(({ by }) => by === 'ratio');
  const agrees = ({ aspect, by }: NamedShape) =>
    by === 'word' && exact.some((one) => sideOf[one.aspect] === sideOf[aspect]);
  const meant = named.filter((one) => !agrees(one));
  const contradicts = ({ aspect, by }: NamedShape): boolean => {
    if (by === 'word') return exact.length > 0 || (isTwo(meant) && !LIST.test(text));
    return by === 'pixels' && ratios.length > 0 && ratios.every((ratio) => ratio.aspect !== aspect);
  };
  return {
    aspects: meant.map(({ aspect }) => aspect),
    warning: meant.some(contradicts) ? sentence(text, meant) : null,
  };
}

const isTwo = (named: readonly NamedShape[]): boolean => new Set(named.map(({ aspect }) => aspect)).size > 1;

function sentence(text: string, named: readonly NamedShape[]): string {
  const list = named.map(({ aspect, written }) => (written === aspect ? aspect : `${written}: ${aspect}`));
  return `${JSON.stringify(text)} names shapes that contradict each other (${[...new Set(list)].join(', ')}); a film of each is made.`;
}
