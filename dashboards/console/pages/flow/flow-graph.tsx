import { Link } from 'wouter';
import { Panel } from '#console/ui/panel.tsx';
import { counted } from '#src/lib/text/counted.ts';
import classes from './flow-graph.module.css';
import { box, layoutNodes } from './layout-nodes.ts';
import type { Flow } from './use-flow.ts';

type Node = Flow['nodes'][number];

/** Colours of states; the word is in the box, so colour alone says nothing. */
const tones: Readonly<Record<Node['state'], string>> = {
  pending: 'wait',
  running: 'busy',
  succeeded: 'ok',
  failed: 'bad',
  cancelled: 'wait',
  skipped: 'wait',
};

/** Nodes of a flow as boxes, with an arrow from each to those that come after it. */
export function FlowGraph({ nodes }: { readonly nodes: readonly Node[] }) {
  const { boxes, width, height } = layoutNodes(nodes);
  const places = new Map(boxes.map((one) => [one.name, one]));
  return (
    <Panel title="Nodes" aside={counted(nodes.length, 'node')}>
      <div className={classes['scroll']}>
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label="Nodes of the flow"
        >
          {nodes.flatMap(({ name, depends_on: others }) =>
            others.map((other) => {
              const [from, to] = [places.get(other), places.get(name)];
              return from && to && <path key={`${other} ${name}`} className={classes['edge']} d={edge(from, to)} />;
            }),
          )}
          {nodes.map((node) => {
            const place = places.get(node.name);
            return place && <NodeBox key={node.name} node={node} x={place.x} y={place.y} />;
          })}
        </svg>
      </div>
    </Panel>
  );
}

function NodeBox({ node, x, y }: { readonly node: Node; readonly x: number; readonly y: number }) {
  const drawing = (
    <g className={classes['node']} data-tone={tones[node.state]} transform={`translate(${x} ${y})`}>
      <title>{`${node.name}: ${node.state}, ${node.queue}`}</title>
      <rect width={box.width} height={box.height} rx={8} />
      <text x={12} y={24} className={classes['name']}>
        {short(node.name)}
      </text>
      <text x={12} y={44} className={classes['state']}>
        {stateText(node)}
      </text>
    </g>
  );
  return node.job_id === null ? drawing : <Link href={`/jobs/${node.job_id}`}>{drawing}</Link>;
}

/** Words for the state of a node: with the number of its jobs that have ended, where it has several. */
export function stateText({ state, total, succeeded, failed, cancelled }: Node): string {
  if (total === null || total === 1) return state;
  return `${state}, ${succeeded + failed + cancelled} of ${total}${failed > 0 ? `, ${failed} failed` : ''}`;
}

function edge(
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
): string {
  const [x1, y1, x2, y2] = [from.x + box.width, from.y + box.height / 2, to.x, to.y + box.height / 2];
  const bend = Math.max(24, (x2 - x1) / 2);
  return `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`;
}

const LONGEST = 22;
const short = (name: string) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name);
