import type { Step } from '#console/pages/missions/parts/mission.ts';
import classes from './plan-graph.module.css';
import { type Placed, placesOf } from './plan-layout.ts';
import { stepStates } from './step-states.ts';

/** Sizes of a box and of the room between boxes, in pixels. */
const box = { width: 190, height: 54, gapX: 48, gapY: 14 };

/** The steps as a picture: what waits for what, and the status of each. Each leads to its entry below. */
export function PlanGraph({ steps }: { readonly steps: readonly Step[] }) {
  const places = new Map(placesOf(steps).map((one) => [one.id, one]));
  const all = [...places.values()];
  const columns = Math.max(...all.map(({ column }) => column)) + 1;
  const rows = Math.max(...all.map(({ row }) => row)) + 1;
  const width = columns * (box.width + box.gapX) - box.gapX;
  const height = rows * (box.height + box.gapY) - box.gapY;
  const edges = steps.flatMap(({ id, dependsOn }) => dependsOn.map((before) => [places.get(before), places.get(id)]));
  return (
    <nav className={classes['scroll']} aria-label="Order of the steps">
      <div className={classes['graph']} style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          {edges.map(([from, to]) => from && to && <path key={`${from.id} ${to.id}`} d={lineOf(from, to)} />)}
        </svg>
        {steps.map(({ id, title, at }) => {
          const place = places.get(id);
          const [words, tone] = stepStates[at.state];
          return (
            place && (
              <a
                key={id}
                className={classes['node']}
                href={`#step-${id}`}
                data-tone={tone}
                style={{ ...cornerOf(place), width: box.width, height: box.height }}
              >
                <span className={classes['title']}>{title}</span>
                <span className={classes['more']}>
                  {id} · {words}
                </span>
              </a>
            )
          );
        })}
      </div>
    </nav>
  );
}

function cornerOf({ column, row }: Placed) {
  return { left: column * (box.width + box.gapX), top: row * (box.height + box.gapY) };
}

/** From the right of one box to the left of another. */
function lineOf(from: Placed, to: Placed): string {
  const [a, b] = [cornerOf(from), cornerOf(to)];
  const [x1, y1] = [a.left + box.width, a.top + box.height / 2];
  const [x2, y2] = [b.left, b.top + box.height / 2];
  const middle = x2 - box.gapX / 2;
  return `M${x1} ${y1}H${middle - 12}C${middle} ${y1} ${middle} ${y2} ${middle + 12} ${y2}H${x2}`;
}
