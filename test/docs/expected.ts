/**
 * Expected output of each shell block, by page. The words name the block: no other block of that page has them. Of a stream
 * that is cut, only the start is expected.
 */
export const expected: Readonly<Record<string, readonly (readonly [words: string, prints: RegExp])[]>> = {
  'README.md': [
    ['npm start', /^npm was given 1: start\n$/],
    ['proofline env', /"status":"ok"/],
    ['respond-async', /^\/v1\/jobs\/[0-9a-f-]{36}\n$/],
    ['/events', /event: queued[\s\S]*event: succeeded/],
    ['jobs show', /"state":"succeeded"[\s\S]*"before":\[[\s\S]*"results":\[[\s\S]*analytics\.stress/],
  ],
  'docs/acting-on-many.md': [
    ['respond-async', /"count":3[\s\S]*event: succeeded[\s\S]*"done":3/],
    ['--preview', /cancel is about 0 jobs\./],
  ],
  'docs/analytics.md': [
    ['/v1/gex/SPX', /"symbol":"SPX"[\s\S]*"symbol":"QQQ"[\s\S]*"symbol":"SPX"/],
    ['generation=3', /"generation":3[\s\S]*"state":"/],
    ['/v1/scorecard', /"band_coverage"/],
    ['/v1/stream/SPX', /event: snapshot[\s\S]*event: snapshot/],
    ['history/regime', /^as_of,knowledge_time,spot,[\s\S]*\n\{.*"symbol":"SPX"/],
    ['/v1/portfolio/analyze', /"before":\[[\s\S]*"results":\[[\s\S]*"net_gex_spx"[\s\S]*"kkt_residual"/],
    ['/v1/oracle/tools', /"tools":\[[\s\S]*"answerable":true[\s\S]*"tools_used":\["portfolio_optimize"\]/],
    ['example-chain.csv', /"symbol":"SPX"[\s\S]*"forgotten":1/],
  ],
  'docs/flows.md': [
    ['await serve', /^/],
    ['flows submit', /count +succeeded[\s\S]*double +succeeded[\s\S]*5 of 5[\s\S]*"result":\s*\{\s*"sum": ?20/],
    ['--depends-on', /"state": "succeeded"[\s\S]*"depends_on":\[\{/],
    ['--unique', /^([0-9a-f-]{36})\n\1\n/],
  ],
  'docs/governed-jobs.md': [
    ['approval grant', /"version":1[\s\S]*(granted|used)/],
    ['/approval', /"state":"(granted|used)"[\s\S]*"reason":"read it"/],
    ['effect_intended', /\{"answers":\[\{"status":"accepted"[\s\S]*\{"status":"accepted"\}\]\}/],
    ['"receipt":"sealed"', /"salts":[\s\S]*integrity +pass[\s\S]*authenticity +pass[\s\S]*anchor +pass/],
    ['TEXT=', /"name":"guide\.send-letter","version":1,"digest":"[0-9a-f]{64}"/],
  ],
  'docs/humans.md': [
    ['human invite --for "Ada', /For Ada Lovelace/],
    ['human enrol', /You are enrolled[\s\S]*laptop: /],
    ['"name": "reader"', /"name":"laptop"[\s\S]*"key":"sk-platform-/],
    ['human withdraw', /For Grace Hopper[\s\S]*withdrawn; it was for Grace Hopper/],
  ],
  'docs/notifications.md': [
    ['endpoints add', /not delivered[\s\S]*not taken[\s\S]*on-call[\s\S]*is removed/],
    ['stream-tokens', /event: snapshot[\s\S]*SPX/],
  ],
  'docs/job-life.md': [
    ['respond-async', /event: succeeded[\s\S]*"queue":"analytics\.stress"/],
    [
      'text=SPX',
      /"state":"succeeded"[\s\S]*event: snapshot[\s\S]*"type":"queued"[\s\S]*"attempts":\[\{[\s\S]*"data":\[/,
    ],
  ],
  // by test/packages/packed.int.test.ts, from an empty folder
  'docs/jobs.md': [
    ['npm install', /added \d+ packages[\s\S]*jobs\/welcome-customer\.ts[\s\S]*package\.json/],
    ['npm start', /ready in /],
    ['npm run worker', / registered \{.*"queues":\["acme\.welcome-customer"\]\}/],
    ['npm run app', /queued[\s\S]*started[\s\S]*waiting[\s\S]*succeeded[\s\S]*\{ sent: 'Welcome, Ada!' \}/],
    ['new job', /jobs\/resize-image\.ts\njobs\/index\.ts\n/],
    ['--language python', /waiting[\s\S]*sending under[\s\S]*succeeded[\s\S]*\{'sent': 'Welcome, Ada!'\}/],
    ['Says a text loudly', /"name":"guide\.shout-text","version":1/],
    ['jobs/bulk', /"index":2,"id":"[^"]+","created":true/],
    ['v1/workers/$WORKER/report', /\{"answers":\[\{"status":"accepted"\}\]\}/],
    ['v1/jobs/$SHOUT/receipt', /event: succeeded[\s\S]*"result":\{"text":"HELLO!"\}[\s\S]*"salts":/],
  ],
  'docs/limits.md': [
    ['--owner acme', /queue_depth +owner +acme +50000[\s\S]*requests_per_minute +plan +high +120000/],
    ['ADMIN=', /"subject":"acme","most":50000[\s\S]*"settings":\[/],
    ['limits/mine', /"kind":"queue_depth","most":\d+,"limit_of":"setting"/],
  ],
  'docs/mcp.md': [['mcp()', /\\"missionId\\":[\s\S]*\\"integrity\\":\{\\"verdict\\":\\"pass\\"[\s\S]*"uri":"receipt:/]],
  'docs/missions.md': [
    ['then hash it', /"missionId":"[0-9a-f-]{36}"/],
    ['/execute', /event: receipt\.anchored[\s\S]*event: mission\.closed[\s\S]*"integrity":\{"verdict":"pass"/],
  ],
  'docs/operations.md': [
    ['proofline env', /"name":"analytics\.stress"[\s\S]*"workers":\[\{[\s\S]*event: operations/],
    ['/pause', /"reason":"a new model"[\s\S]*"paused":null/],
  ],
  'docs/platform.md': [
    ['api/v2/health', /"object":"contract"[\s\S]*"image\.generate"[\s\S]*"uri":"studio:\/\//],
    ['images/generate', /"b64_json"[\s\S]*"object":"orchestration"[\s\S]*"counts":/],
  ],
  'docs/receipts.md': [
    ['/execute', /event: receipt\.anchored[\s\S]*event: mission\.closed/],
    ['proofline verify', /integrity +pass[\s\S]*authenticity +pass[\s\S]*anchor +pass/],
    ['openssl pkeyutl', /the calldata of 0x[\s\S]*Signature Verified Successfully/],
  ],
  'docs/schedules.md': [['schedules/morning', /"name":"morning"[\s\S]*"job_id":"[0-9a-f-]{36}"[\s\S]*"next":\["/]],
  'docs/sign-in.md': [['operator link', /^http:\/\/127\.0\.0\.1:\d+\/auth\/link#\S+\n/m]],
  'docs/streams.md': [
    ['Last-Event-ID', /^(?![\s\S]*event: queued)[\s\S]*event: succeeded/],
    ['/v1/stream/SPX', /event: snapshot/],
  ],
  'docs/studio.md': [
    ['proofline env', /"capabilities"/],
    ['render "{', /granted[\s\S]*event: succeeded[\s\S]*"integrity":\{"verdict":"pass"[\s\S]*film\.mp4/],
    ['publish "{', /granted[\s\S]*event: succeeded[\s\S]*event: studio_stream_ready/],
  ],
  'docs/terminal.md': [
    ['proofline top --once', /analytics\.stress[\s\S]*\ndone\n/],
    ['queues pause', /analytics\.study .* by user:.*: a new model\n[\s\S]*analytics\.study [^:]*\n$/],
    ['key create', /sk-platform-[\s\S]*default admin/],
    ['completion bash', /^$/],
    ['completion zsh', /^$/],
  ],
};

/** Output of a shell or a service that did not understand a block. */
export const faults =
  /command not found|no matches found|parse error|syntax error|event not found|bad pattern|"status":[45]\d\d\b|^error:|^Error|\bundefined\n|\/undefined|No such file/m;
