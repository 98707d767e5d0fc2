import { apiScale, type Scale, scaledFleets } from './processes.ts';

/** Address at which KEDA reads the figures; other clusters patch it. */
export const PROMETHEUS = 'http://prometheus-operated.monitoring.svc:9090';
/** Time that a process may take beyond its deadlines until it ends by itself, and a little more. */
const END_MS = 5_000;

interface Process {
  readonly name: string;
  readonly component: 'api' | 'worker';
  readonly args: readonly string[];
  readonly scale: Pick<Scale, 'cores' | 'memory' | 'settings'>;
}

const labelsOf = ({ name, component }: Pick<Process, 'name' | 'component'>) => ({
  'app.kubernetes.io/name': 'proofline',
  'app.kubernetes.io/component': component,
  ...(component === 'worker' && { 'proofline/fleet': name }),
});

/** Resources of a container. */
export const resourcesOf = ({ cores, memory }: Pick<Scale, 'cores' | 'memory'>) => ({
  requests: { cpu: `${cores * 1_000}m`, memory: `${memory[0]}Mi` },
  // no limit of cores: a throttled process loses its leases
  limits: { memory: `${memory[1]}Mi` },
});

function container({ name, component, args, scale }: Process) {
  const probe = (path: string) => ({ httpGet: { path, port: 'metrics' }, timeoutSeconds: 5 });
  return {
    name,
    image: 'proofline',
    args,
    ports: [
      ...(component === 'api' ? [{ name: 'http', containerPort: 4000 }] : []),
      { name: 'metrics', containerPort: 9464 },
    ],
    envFrom: [{ configMapRef: { name: 'proofline' } }, { secretRef: { name: 'proofline' } }],
    env: Object.entries(scale.settings).map(([setting, value]) => ({ name: setting, value })),
    startupProbe: { ...probe('/livez'), periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { ...probe('/livez'), periodSeconds: 10, failureThreshold: 6 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 3, failureThreshold: 2 },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    resources: resourcesOf(scale),
    volumeMounts: [
      { name: 'home', mountPath: '/var/lib/proofline' },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

/** Seconds that a process has to end: what it takes by its own settings, and a little more. */
function graceOf({ DRAIN_DEADLINE_MS = '10000', UNREADY_MS = '0' }: Readonly<Record<string, string>>): number {
  return Math.ceil((Number(DRAIN_DEADLINE_MS) + Number(UNREADY_MS) + END_MS) / 1_000);
}

function deployment(process: Process, replicas?: number) {
  const labels = labelsOf(process);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: process.name, labels },
    spec: {
      // without a number the autoscaler alone decides
      ...(replicas !== undefined && { replicas }),
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: graceOf(process.scale.settings),
          automountServiceAccountToken: false,
          // it would set names such as PROOFLINE_PORT, which no setting has, and no process would start
          enableServiceLinks: false,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 10_001,
            runAsGroup: 10_001,
            fsGroup: 10_001,
            // once: at every mount it would open the private files of the volume to the group, and they are refused then
            fsGroupChangePolicy: 'OnRootMismatch',
            seccompProfile: { type: 'RuntimeDefault' },
          },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: labels },
            },
          ],
          containers: [container(process)],
          volumes: [
            { name: 'home', persistentVolumeClaim: { claimName: 'proofline-home' } },
            { name: 'tmp', emptyDir: { sizeLimit: '4Gi' } },
          ],
        },
      },
    },
  };
}

function disruptionBudget(process: Pick<Process, 'name' | 'component'>) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: process.name },
    spec: { maxUnavailable: 1, selector: { matchLabels: labelsOf(process) } },
  };
}

/**
 * More processes when the oldest waits too long, or when all that waits would take too long; whichever asks for more.
 * Reads what `dashboards/prometheus/recordings.ts` records, as alerts do.
 */
function autoscaler(name: string, queues: readonly string[], { least, most, oldest, drain }: Scale) {
  const ofQueues = `{queue=~"${queues.map((queue) => queue.replaceAll('.', '\\\\.')).join('|')}"}`;
  // no number of processes starts jobs of a queue that an operator has paused, and they only grow older
  const isRunning = `on (queue) (max by (queue) (proofline_queue_paused${ofQueues}) == bool 0)`;
  const trigger = (query: string, threshold: number) => ({
    type: 'prometheus',
    metricType: 'Value',
    // without figures the number stays as it is: nothing known is not nothing to do
    metadata: { serverAddress: PROMETHEUS, query, threshold: `${threshold}`, ignoreNullValues: 'false' },
  });
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name },
    spec: {
      scaleTargetRef: { name },
      minReplicaCount: least,
      maxReplicaCount: most,
      pollingInterval: 15,
      cooldownPeriod: 300,
      advanced: {
        horizontalPodAutoscalerConfig: {
          behavior: {
            scaleDown: {
              stabilizationWindowSeconds: 300,
              policies: [{ type: 'Percent', value: 50, periodSeconds: 60 }],
            },
          },
        },
      },
      triggers: [
        trigger(`max(queue:proofline_queue_oldest_waiting_seconds:max${ofQueues} * ${isRunning})`, oldest),
        // -1 says that nothing was finished lately: the age tells then
        trigger(`max(clamp_min(queue:proofline_queue_estimated_drain_seconds:max${ofQueues}, 0))`, drain),
      ],
    },
  };
}

/** Manifests of every process: the API, and each fleet of queues/fleets.ts. */
export function processManifests(): readonly object[] {
  const api = { name: 'api', component: 'api', args: ['api'], scale: apiScale } as const;
  return [
    deployment(api, apiScale.least),
    disruptionBudget(api),
    ...scaledFleets().flatMap(({ name, queues, scale }) => {
      const fleet = { name, component: 'worker', args: ['worker', name], scale } as const;
      return [deployment(fleet), disruptionBudget(fleet), autoscaler(name, queues, scale)];
    }),
  ];
}
