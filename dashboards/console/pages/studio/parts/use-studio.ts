import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiError } from '#console/api/api-error.ts';
import { useCall } from '#console/api/use-call.ts';
import type { Asset, Brief, Plan, StudioJob } from './studio-types.ts';

type Read<T> = UseQueryResult<T, ApiError>;

export function useBrief(id: string): Read<Brief> {
  return useCall('GET /api/studio/v1/briefs/{id}', { path: { id } }) as Read<unknown> as Read<Brief>;
}

export function usePlan(id: string): Read<Plan> {
  return useCall('GET /api/studio/v1/plans/{id}', { path: { id } }) as Read<unknown> as Read<Plan>;
}

/** The newest plans of a brief. */
export function usePlansOf(brief: string): Read<{ plans: readonly Plan[] }> {
  const input = { query: { brief, limit: 20 } };
  return useCall('GET /api/studio/v1/plans', input) as Read<unknown> as Read<{ plans: readonly Plan[] }>;
}

export function useStudioJob(id: string): Read<StudioJob> {
  return useCall('GET /api/studio/v1/jobs/{id}', { path: { id } }) as Read<unknown> as Read<StudioJob>;
}

/** The newest jobs: all, or those of a plan. */
export function useStudioJobs(query: { plan?: string; limit: number }): Read<{ jobs: readonly StudioJob[] }> {
  return useCall('GET /api/studio/v1/jobs', { query }) as Read<unknown> as Read<{ jobs: readonly StudioJob[] }>;
}

/** The newest assets: all, or what a job and its calls have made. */
export function useAssets(query: { job?: string; limit: number }): Read<{ assets: readonly Asset[] }> {
  return useCall('GET /api/studio/v1/assets', { query }) as Read<unknown> as Read<{ assets: readonly Asset[] }>;
}

export function useAsset(id: string): Read<Asset> {
  return useCall('GET /api/studio/v1/assets/{id}', { path: { id } }) as Read<unknown> as Read<Asset>;
}
