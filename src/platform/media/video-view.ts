import { type Static, Type } from 'typebox';
import { lifecycle, lifecycleOf } from '#src/platform/edge/lifecycle.ts';
import type { Context } from '#src/system/context.ts';
import type { Video } from './video-store.ts';

const nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** A film in OpenAI's words. */
export const VideoView = Type.Object(
  {
    id: Type.String({ description: 'Names the film: the id of its job' }),
    object: Type.Enum(['video'], { type: 'string' }),
    status: Type.Enum(['queued', 'in_progress', 'completed', 'failed'], {
      type: 'string',
      description: 'A job that was cancelled has failed',
    }),
    progress: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: '100 once it is there; the job’s events report more',
    }),
    created_at: Type.Integer({ description: 'Seconds since 1970' }),
    completed_at: nullable(Type.Integer(), 'Seconds since 1970'),
    expires_at: nullable(Type.Integer(), 'Time at which its bytes are erased, in seconds since 1970'),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() }), 'Why there is none'),
    model: Type.String({ description: 'Model that made it, or the requested one' }),
    prompt: nullable(Type.String(), 'Requested prompt'),
    remixed_from_video_id: Type.Null({ description: 'Films are not remixed here' }),
    seconds: Type.String({ description: 'Requested length; `auto` without one' }),
    size: Type.String({ description: 'Requested size; `auto` without one' }),
    ...lifecycle,
  },
  { $id: 'Video', title: 'Video', description: 'A film, in OpenAI’s words' },
);

const statuses: Readonly<Record<string, Static<typeof VideoView>['status']>> = {
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'failed',
};

export function videoView(context: Context, video: Video): Static<typeof VideoView> {
  const { id, state, createdAt, finishedAt, error, asked } = video;
  const members = lifecycleOf(context, video);
  const isThere = state === 'succeeded' && finishedAt !== null;
  const cancelled = state === 'cancelled' ? { code: 'cancelled', message: 'The job was cancelled.' } : null;
  const failure = state === 'failed' && error ? { code: error.code, message: error.message } : cancelled;
  const retention = context.config.ARTEFACT_RETENTION_DAYS * 86_400;
  return {
    id,
    object: 'video',
    status: statuses[state] ?? 'queued',
    progress: isThere ? 100 : 0,
    created_at: seconds(createdAt),
    completed_at: isThere ? seconds(finishedAt) : null,
    expires_at: isThere ? seconds(finishedAt) + retention : null,
    error: failure,
    model: members.run.model ?? asked.model ?? 'auto',
    prompt: asked.prompt,
    remixed_from_video_id: null,
    seconds: String(asked.seconds ?? 'auto'),
    size: asked.size ?? 'auto',
    ...members,
  };
}
