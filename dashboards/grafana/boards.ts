import type { Board } from '#dashboards/grafana/boards/board.ts';
import { apiBoard } from './boards/api.ts';
import { fleetBoard } from './boards/fleet.ts';
import { marketBoard } from './boards/market.ts';
import { missionsAnchorsBoard } from './boards/missions-anchors.ts';
import { notificationsBoard } from './boards/notifications.ts';
import { streamsBoard } from './boards/streams.ts';
import { studioSpendBoard } from './boards/studio-spend.ts';
import { buildDashboard } from './build.ts';

export const boards: readonly Board[] = [
  fleetBoard,
  apiBoard,
  streamsBoard,
  studioSpendBoard,
  missionsAnchorsBoard,
  marketBoard,
  notificationsBoard,
];

/** Files that Grafana reads, by name. */
export const dashboardFiles: Readonly<Record<string, string>> = Object.fromEntries(
  boards.map((board) => [`${board.name}.json`, `${JSON.stringify(buildDashboard(board), null, 2)}\n`]),
);
