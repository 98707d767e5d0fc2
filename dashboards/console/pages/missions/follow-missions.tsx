import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { callKey } from '#console/api/use-call.ts';
import { useStream } from '#console/api/use-stream.ts';
import type { MissionSummary } from '#console/pages/missions/parts/mission.ts';

/** A browser has six connections to a service, for all of its pages. */
const most = 3;
/** A stream tells what was before first, all at once. */
const gatherMs = 300;

const types = [
  'mission.started',
  'human.requested',
  'human.verified',
  'human.declined',
  'mission.succeeded',
  'mission.failed',
  'mission.cancelled',
  'receipt.sealed',
  'mission.closed',
];

/** Keeps the list true while missions of it are under way: the newest few are followed. Shows nothing. */
export function FollowMissions({ missions }: { readonly missions: readonly MissionSummary[] }) {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const changed = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: callKey('GET /api/v1/missions') });
    }, gatherMs);
  };
  return missions
    .slice(0, most)
    .map(({ missionId, links }) => <Follow key={missionId} path={links.events} onChange={changed} />);
}

function Follow({ path, onChange }: { readonly path: string; readonly onChange: () => void }) {
  useStream(path, { types, onEvent: onChange, last: ['mission.closed'] });
  return null;
}
