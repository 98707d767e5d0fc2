import { Areas } from '#console/pages/studio/parts/areas.tsx';
import { StepChain } from '#console/pages/studio/parts/step-chain.tsx';
import { Warnings } from '#console/pages/studio/parts/warnings.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { counted } from '#src/lib/text/counted.ts';
import { touchedByRender } from '#src/studio/domain/boundary.ts';
import { readFilmScript } from '#src/studio/domain/film-script.ts';
import { readFormats } from '#src/studio/domain/formats.ts';
import { narrationSeconds, shapeSteps } from '#src/studio/domain/shape-steps.ts';
import { type BriefDraft, formatsOf } from './brief-draft.ts';

/** Preview of a draft's products and of what it touches, by the very rules that plan it. */
export function BriefPreview({ draft }: { readonly draft: BriefDraft }) {
  const { mode, prompt, title, channels } = draft;
  const script = readFilmScript(prompt);
  const formats = readFormats(formatsOf(draft), channels, script.seconds, mode);
  const named = title === '' ? null : title;
  const steps = shapeSteps({ mode, prompt, title: named }, formats);
  const spoken = narrationSeconds({ mode, prompt });
  const tooLong = spoken !== null && formats.requested.seconds !== null ? spoken - formats.requested.seconds : 0;
  const warnings = [
    ...formats.warnings,
    ...script.warnings,
    ...(tooLong > 0
      ? [`The narration takes about ${Math.round(spoken ?? 0)} s, ${Math.ceil(tooLong)} s more than was requested for.`]
      : []),
  ];
  const areas = touchedByRender({
    mode,
    title: named,
    prompt,
    channels,
    capabilities: steps.map(({ capability }) => capability),
    providers: ['the providers that its plan names'],
    ceiling: 0,
  }).map((one) =>
    one.area === 'liveProviderSpend' ? { ...one, why: 'runs providers, for at most what you allow' } : one,
  );
  return (
    <Panel title="What this comes to" aside={counted(steps.length, 'step')}>
      <StepChain steps={steps} />
      <Warnings warnings={warnings} />
      <h3>What a person has to allow</h3>
      <Areas areas={areas} />
    </Panel>
  );
}
