import type { Mission } from '#console/pages/missions/parts/mission.ts';
import { Panel } from '#console/ui/panel.tsx';

/** The answer of a mission, in sentences. */
export function AnswerPanel({ of }: { readonly of: Mission }) {
  if (of.answer === null) return null;
  return (
    <Panel title="Answer">
      {of.answer.split('\n').map((line) => (
        <p key={line} style={{ margin: 0, overflowWrap: 'anywhere' }}>
          {line}
        </p>
      ))}
    </Panel>
  );
}
