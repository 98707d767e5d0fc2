import { Agent, get } from 'node:http';
import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';

/** Follows jobs by SSE, each on a stream of its own, and notes when the final event arrives. */
const agent = new Agent({ keepAlive: true, maxSockets: 500 });
let latencies: number[] = [];
let open = 0;
let failed = 0;

interface Sample {
  readonly id: string;
  readonly dueAt: number;
  readonly port: number;
  readonly key: string;
}

answerCalls({
  follow: (sample: Sample) => {
    open++;
    follow(sample, () => open--);
  },
  take: () => {
    const taken = { latencies, open, failed };
    latencies = [];
    return taken;
  },
});

function follow({ id, dueAt, port, key }: Sample, onEnd: () => void): void {
  const headers = { authorization: `Bearer ${key}` };
  const request = get({ host: '127.0.0.1', port, path: `/v1/jobs/${id}/events`, headers, agent }, (response) => {
    let text = '';
    let seen = false;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
      if (seen || !text.includes('event: succeeded')) return;
      seen = true;
      latencies.push(now() - dueAt);
    });
    response.on('close', () => {
      if (!seen) failed++;
      onEnd();
    });
  });
  request.on('error', () => {
    failed++;
    onEnd();
  });
}
