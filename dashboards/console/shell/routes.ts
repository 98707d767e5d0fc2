import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { IconName } from '#console/ui/icon.tsx';

export interface Route {
  /** As wouter reads it: `/jobs/:id`, `/market/:symbol?`. Also below it: `/studio/*?`. */
  readonly path: string;
  readonly page: LazyExoticComponent<ComponentType>;
  /** Entry in the navigation; a page without one is reached from other pages. */
  readonly entry?: { readonly label: string; readonly icon: IconName };
}

/** Every page, each loaded when it is first opened. A page that is not built yet is not here. */
export const routes: readonly Route[] = [
  {
    path: '/',
    page: lazy(async () => ({ default: (await import('#console/pages/home/home-page.tsx')).HomePage })),
    entry: { label: 'Overview', icon: 'overview' },
  },
  {
    path: '/jobs',
    page: lazy(async () => ({ default: (await import('#console/pages/jobs/jobs-page.tsx')).JobsPage })),
    entry: { label: 'Jobs', icon: 'jobs' },
  },
  {
    path: '/jobs/:id',
    page: lazy(async () => ({ default: (await import('#console/pages/job/job-page.tsx')).JobPage })),
  },
  {
    path: '/flows',
    page: lazy(async () => ({ default: (await import('#console/pages/flows/flows-page.tsx')).FlowsPage })),
    entry: { label: 'Flows', icon: 'flows' },
  },
  {
    path: '/flows/:id',
    page: lazy(async () => ({ default: (await import('#console/pages/flow/flow-page.tsx')).FlowPage })),
  },
  {
    path: '/queues/:name',
    page: lazy(async () => ({ default: (await import('#console/pages/queue/queue-page.tsx')).QueuePage })),
  },
  {
    path: '/schedules',
    page: lazy(async () => ({ default: (await import('#console/pages/schedules/schedules-page.tsx')).SchedulesPage })),
    entry: { label: 'Schedules', icon: 'clock' },
  },
  {
    // no schedule is called so: names begin with a letter or a digit
    path: '/schedules/_new',
    page: lazy(async () => ({ default: (await import('#console/pages/schedules/form/edit-page.tsx')).EditPage })),
  },
  {
    path: '/schedules/:name',
    page: lazy(async () => ({ default: (await import('#console/pages/schedules/schedule-page.tsx')).SchedulePage })),
  },
  {
    path: '/schedules/:name/edit',
    page: lazy(async () => ({ default: (await import('#console/pages/schedules/form/edit-page.tsx')).EditPage })),
  },
  {
    path: '/studio/*?',
    page: lazy(async () => ({ default: (await import('#console/pages/studio/studio-pages.tsx')).StudioPages })),
    entry: { label: 'Studio', icon: 'studio' },
  },
  {
    path: '/providers',
    page: lazy(async () => ({ default: (await import('#console/pages/providers/providers-page.tsx')).ProvidersPage })),
    entry: { label: 'Providers', icon: 'providers' },
  },
  {
    path: '/missions',
    page: lazy(async () => ({ default: (await import('#console/pages/missions/missions-page.tsx')).MissionsPage })),
    entry: { label: 'Missions', icon: 'missions' },
  },
  {
    path: '/missions/:id',
    page: lazy(async () => ({ default: (await import('#console/pages/missions/mission-page.tsx')).MissionPage })),
  },
  {
    path: '/market/:symbol?',
    page: lazy(async () => ({ default: (await import('#console/pages/market/market-page.tsx')).MarketPage })),
    entry: { label: 'Market', icon: 'market' },
  },
  {
    path: '/notifications',
    page: lazy(async () => ({
      default: (await import('#console/pages/notifications/notifications-page.tsx')).NotificationsPage,
    })),
    entry: { label: 'Notifications', icon: 'bell' },
  },
  {
    path: '/limits',
    page: lazy(async () => ({ default: (await import('#console/pages/limits/limits-page.tsx')).LimitsPage })),
    entry: { label: 'Limits', icon: 'limits' },
  },
  {
    path: '/developers',
    page: lazy(async () => ({
      default: (await import('#console/pages/developers/developers-page.tsx')).DevelopersPage,
    })),
    entry: { label: 'Developers', icon: 'developers' },
  },
  {
    path: '/developers/:id',
    page: lazy(async () => ({ default: (await import('#console/pages/developers/keys/key-page.tsx')).KeyPage })),
  },
];
