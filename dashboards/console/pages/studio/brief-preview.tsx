import { Panel } from '#console/ui/panel.tsx';
import { touchedByRender } from '#src/studio/domain/boundary.ts';
import { readFormats } from '#src/studio/domain/formats.ts';
import { shapeSteps } from '#src/studio/domain/shape-steps.ts';
import { Areas } from './areas.tsx';
import { type BriefDraft, formatsOf } from './brief-draft.ts';
import { StepChain } from './step-chain.tsx';

/** What a draft would have made and what it touches, by the very rules that plan it. */
export function BriefPreview({ draft }: { readonly draft: BriefDraft }) {
  const { mode, prompt, title, channels } = draft;
  const formats = readFormats(formatsOf(draft), channels);
  const steps = shapeSteps({ mode, prompt, title: title === '' ? null : title }, formats);
  const areas = touchedByRender({
    mode,
    prompt,
    channels,
    capabilities: steps.map(({ capability }) => capability),
    providers: ['the providers that its plan names'],
    ceiling: 0,
  }).map((one) =>
    one.area === 'liveProviderSpend' ? { ...one, why: 'runs providers, for at most what you allow' } : one,
  );
  return (
    <Panel title="What this comes to" aside={`${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`}>
      <StepChain steps={steps} />
      <h3>What a person has to allow</h3>
      <Areas areas={areas} />
    </Panel>
  );
}
