import { createClient, JobFailed, ProoflineError } from '@proofline/client';

/**
 * Everything that a client does, against a server with the queue `acme.greet`, whose jobs wait for the signal `go`.
 *
 * @param {string} url
 * @param {string} key
 */
export async function useAll(url, key) {
  const client = createClient({ url, key, backoff: 20 });
  return {
    followed: await follow(client, url, key),
    many: await many(client),
    cancelled: await cancel(client),
    refused: await codeOf(client.submit('acme.unknown', {})),
    stopped: await stop(client),
  };
}

/** Leaves a stream in its middle, and goes on behind the last event that it has seen; then reads it over cuts. */
async function follow(client, url, key) {
  const job = await client.submit('acme.greet', { name: 'Ada' }, { idempotencyKey: 'greeting', metadata: { a: 'ä' } });
  const again = await client.submit(
    'acme.greet',
    { name: 'Ada' },
    { idempotencyKey: 'greeting', metadata: { a: 'ä' } },
  );
  const ids = [];
  for await (const { id, type } of job.events()) {
    if (id !== undefined) ids.push(id);
    if (type === 'waiting') break;
  }
  const signals = [];
  for (const _ of [1, 2]) {
    signals.push((await job.signal('go', { by: 'Grace' }, { idempotencyKey: 'one' })).accepted);
    // the second one may come after the job has ended
    if (signals.length === 1) await job.wait({ timeout: '60s' });
  }
  for await (const { id } of job.events({ after: ids.at(-1) })) if (id !== undefined) ids.push(id);
  const types = [];
  const whole = [];
  const cut = cutting(2);
  for await (const { id, type } of createClient({ url, key, backoff: 20, fetch: cut.fetch }).job(job.id).events()) {
    if (id === undefined) continue;
    whole.push(id);
    types.push(type);
  }
  const { state, metadata } = await job.job();
  return {
    isSameJob: again.id === job.id,
    isWhole: ids.length > 2 && ids.join() === whole.join(),
    cuts: cut.made(),
    // a busy worker may lose the job and take it again
    types: types.filter((type) => type !== 'started' && type !== 'released'),
    signals,
    state,
    metadata,
    result: await job.result(),
  };
}

/** A `fetch` whose first streams break off: the first with nothing, others after a piece. */
function cutting(most) {
  let made = 0;
  return {
    made: () => made,
    fetch: async (...args) => {
      const answer = await fetch(...args);
      if (!String(args[0]).endsWith('/events') || made === most) return answer;
      made += 1;
      const reader = answer.body.getReader();
      let pieces = made === 1 ? 0 : 1;
      const body = new ReadableStream({
        pull: async (stream) => {
          const { value, done } = pieces > 0 ? await reader.read() : { done: true };
          pieces -= 1;
          if (!done) return stream.enqueue(value);
          await reader.cancel();
          stream.error(new TypeError('the connection was cut'));
        },
      });
      return new Response(body, { status: answer.status, headers: answer.headers });
    },
  };
}

async function many(client) {
  async function* jobs() {
    for (let n = 0; n < 25; n++) {
      const payload = n === 7 ? { name: 7 } : { name: `n${n}` };
      yield { queue: 'acme.greet', payload, idempotencyKey: `many-${n}`, delay: '1h' };
    }
  }
  const answers = [];
  for await (const answer of client.bulk(jobs(), { slice: 10 })) answers.push(answer);
  return {
    indexes: answers.map(({ index }) => index).join(),
    created: answers.filter(({ created }) => created).length,
    errors: answers.flatMap((one) => ('error' in one ? [`${one.index} ${one.error.code}`] : [])),
  };
}

async function cancel(client) {
  const job = await client.submit('acme.greet', { name: 'Mary' }, { delay: '1h' });
  const { state } = await job.cancel();
  const failure = await job.result().catch((error) => error);
  return {
    state,
    isJobFailed: failure instanceof JobFailed && failure instanceof ProoflineError,
    code: failure.code,
    again: await codeOf(job.cancel()),
  };
}

/** Waits that end by their time, and by a signal of the caller. */
async function stop(client) {
  const job = await client.submit('acme.greet', { name: 'Joan' }, { delay: '1h' });
  const leave = new AbortController();
  const reason = new Error('enough');
  const waiting = job.wait({ signal: leave.signal }).catch((error) => error === reason);
  const types = [];
  try {
    for await (const { type } of job.events({ signal: leave.signal })) {
      types.push(type);
      leave.abort(reason);
    }
  } catch (error) {
    types.push(error === reason);
  }
  return { inTime: await codeOf(job.wait({ timeout: 50 })), bySignal: await waiting, types };
}

async function codeOf(promise) {
  try {
    await promise;
    return 'none';
  } catch (error) {
    return error instanceof ProoflineError ? error.code : String(error);
  }
}
