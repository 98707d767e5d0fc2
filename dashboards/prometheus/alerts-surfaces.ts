import type { Alert } from './rule.ts';

/** Alerts on what the surfaces do for their users: providers and money, humans, receipts, markets. */
export const surfaceAlerts: readonly Alert[] = [
  {
    name: 'ProviderFailing',
    severity: 'warning',
    expr: 'sum by (provider) (increase(proofline_provider_calls_total{outcome="failed"}[15m])) > 2.5\n  and sum by (provider) (increase(proofline_provider_calls_total{outcome="failed"}[15m]))\n    > 0.5 * sum by (provider) (increase(proofline_provider_calls_total[15m]))',
    summary: 'More than half of the calls of {{ $labels.provider }} fail.',
    description:
      'Other providers are called where there are any. See the provider’s own status page, our key for it, and the errors of its jobs.',
    anchor: 'provider-failing',
    trial: {
      firing: {
        'proofline_provider_calls_total{provider="one", capability="image.generate", outcome="failed"}': '0+1x20',
        'proofline_provider_calls_total{provider="one", capability="image.generate", outcome="succeeded"}': '0+0x20',
      },
      calm: {
        'proofline_provider_calls_total{provider="one", capability="image.generate", outcome="failed"}': '0+1x20',
        'proofline_provider_calls_total{provider="one", capability="image.generate", outcome="succeeded"}': '0+2x20',
      },
      at: '15m',
      fires: [{ provider: 'one' }],
    },
  },
  {
    name: 'ProviderHeldBack',
    severity: 'warning',
    expr: 'sum by (provider) (increase(proofline_provider_calls_held_total[10m])) > 0\n  and max by (provider) (proofline_provider_circuit_state) == 2',
    summary: '{{ $labels.provider }} is not called, since it failed too often.',
    description:
      'One call tries it again every so often, and the first that succeeds lets all go. Where no other provider has the capability, jobs wait: see the provider’s status page and our key for it.',
    anchor: 'provider-failing',
    trial: {
      firing: {
        'proofline_provider_calls_held_total{provider="one"}': '0+1x20',
        'proofline_provider_circuit_state{provider="one"}': '2+0x20',
      },
      calm: {
        'proofline_provider_calls_held_total{provider="one"}': '0+1x20',
        'proofline_provider_circuit_state{provider="one"}': '0+0x20',
      },
      at: '15m',
      fires: [{ provider: 'one' }],
    },
  },
  {
    name: 'TextFirstPieceSlow',
    severity: 'warning',
    for: '15m',
    expr: 'histogram_quantile(0.95, sum by (provider, le) (rate(proofline_text_first_piece_seconds_bucket[15m]))) > 10',
    summary: '{{ $labels.provider }} lets who asks for text wait too long for the first piece.',
    description: 'Its own servers are slow or full: see its status page, or give another provider the better rank.',
    anchor: 'text-first-piece-slow',
    trial: {
      firing: {
        'proofline_text_first_piece_seconds_bucket{provider="one", le="10"}': '0+0x60',
        'proofline_text_first_piece_seconds_bucket{provider="one", le="30"}': '0+10x60',
        'proofline_text_first_piece_seconds_bucket{provider="one", le="+Inf"}': '0+10x60',
      },
      calm: {
        'proofline_text_first_piece_seconds_bucket{provider="one", le="10"}': '0+10x60',
        'proofline_text_first_piece_seconds_bucket{provider="one", le="30"}': '0+10x60',
        'proofline_text_first_piece_seconds_bucket{provider="one", le="+Inf"}': '0+10x60',
      },
      at: '22m',
      fires: [{ provider: 'one' }],
    },
  },
  {
    name: 'SpendSurge',
    severity: 'warning',
    expr: 'sum(increase(proofline_provider_cost_dollars_total[1h])) > 10\n  and sum(increase(proofline_provider_cost_dollars_total[1h]))\n    > 4 * sum(increase(proofline_provider_cost_dollars_total[1w])) / 168',
    summary: 'Providers cost {{ $value | humanize }} dollars in the last hour, far more than usual.',
    description:
      'The studio’s dashboard says which provider and surface, `provider_calls` whose jobs. Lower SPEND_OWNER_MONTHLY_USD or SPEND_KEY_MONTHLY_USD, or revoke the key, if it is not meant.',
    anchor: 'spend-surge',
    trial: {
      firing: {
        'proofline_provider_cost_dollars_total{provider="one", capability="video.generate", surface="studio"}':
          '0+1x60',
      },
      calm: {
        'proofline_provider_cost_dollars_total{provider="one", capability="video.generate", surface="studio"}':
          '0+0.1x60',
      },
      at: '20m',
      fires: [{}],
      value: '20',
    },
  },
  {
    name: 'BudgetsRefuse',
    severity: 'warning',
    expr: 'sum by (kind) (increase(proofline_budget_refusals_total[15m])) > 5',
    summary: 'Calls are refused since budgets are used up (of a {{ $labels.kind }}).',
    description:
      'Budgets do what they are for. If it is a month’s budget of an owner or a key, the errors name it: raise SPEND_OWNER_MONTHLY_USD or SPEND_KEY_MONTHLY_USD, or tell its owner.',
    anchor: 'budgets-refuse',
    trial: {
      firing: { 'proofline_budget_refusals_total{kind="key"}': '0+1x20' },
      calm: { 'proofline_budget_refusals_total{kind="key"}': '0 1 2 3+0x20' },
      at: '15m',
      fires: [{ kind: 'key' }],
    },
  },
  {
    name: 'ProviderCallsUnknown',
    severity: 'warning',
    expr: 'max by (provider) (proofline_spend_unknown_dollars) > 0.01',
    for: '15m',
    summary: 'Calls of {{ $labels.provider }} hold {{ $value | printf "%.2f" }} dollars, and their outcome is unknown.',
    description:
      'They had no answer in time, or a connection broke off. Budgets count what they can have cost until an operator bills or writes them off (`proofline calls`), or the rule does (UNKNOWN_CALL_HOURS).',
    anchor: 'provider-calls-unknown',
    trial: {
      firing: { 'proofline_spend_unknown_dollars{provider="one"}': '0.5+0x30' },
      calm: { 'proofline_spend_unknown_dollars{provider="one"}': '0.01+0x30' },
      at: '20m',
      fires: [{ provider: 'one' }],
      value: '0.50',
    },
  },
  {
    name: 'ApprovalsWait',
    severity: 'warning',
    expr: 'max(proofline_approval_oldest_pending_seconds) > 14400',
    summary: 'An approval has waited for a decision for {{ $value | humanizeDuration }}.',
    description:
      'Its job is held until a human decides, and the approval expires if none does. Tell its owner; the studio lists what waits.',
    anchor: 'approvals-wait',
    trial: {
      firing: { proofline_approval_oldest_pending_seconds: '14460+0x5' },
      calm: { proofline_approval_oldest_pending_seconds: '14400+0x5' },
      at: '3m',
      fires: [{}],
      value: '4h 1m 0s',
    },
  },
  {
    name: 'BatchOverdue',
    severity: 'warning',
    expr: 'max(proofline_batch_oldest_open_seconds) > 72000',
    summary: 'A batch is open for {{ $value | humanizeDuration }} of its 24 hours.',
    description:
      'What it has not done then is given up. See whether its children wait (platform.respond, providers.generate): start more workers of the platform’s fleet, or raise BATCH_CONCURRENCY.',
    anchor: 'batch-overdue',
    trial: {
      firing: { proofline_batch_oldest_open_seconds: '75600+0x5' },
      calm: { proofline_batch_oldest_open_seconds: '72000+0x5' },
      at: '3m',
      fires: [{}],
      value: '21h 0m 0s',
    },
  },
  {
    name: 'MissionsNotSealed',
    severity: 'critical',
    expr: 'max(proofline_mission_oldest_unsealed_seconds) > 900',
    summary: 'A mission is over for {{ $value | humanizeDuration }} and not sealed.',
    description:
      'Its receipt is missing. See the log of the API process that conducts for the signer (SEAL_…): a key service that is away is tried again by itself.',
    anchor: 'missions-not-sealed',
    trial: {
      firing: { proofline_mission_oldest_unsealed_seconds: '960+0x5' },
      calm: { proofline_mission_oldest_unsealed_seconds: '900+0x5' },
      at: '3m',
      fires: [{}],
      value: '16m 0s',
    },
  },
  {
    name: 'AnchorsPending',
    severity: 'critical',
    expr: 'max(proofline_anchor_oldest_pending_seconds) > 1800',
    summary: 'A sealed root waits for its anchor for {{ $value | humanizeDuration }}.',
    description:
      'See the account (AnchorAccountEmpty), the chain’s endpoint (AnchorRpcFails) and the moves of batches on the dashboard: much `bump` means that ANCHOR_MAX_FEE_GWEI is too low. Receipts are whole and are anchored later.',
    anchor: 'anchors-pending',
    trial: {
      firing: { proofline_anchor_oldest_pending_seconds: '1860+0x5' },
      calm: { proofline_anchor_oldest_pending_seconds: '1800+0x5' },
      at: '3m',
      fires: [{}],
      value: '31m 0s',
    },
  },
  {
    name: 'AnchorAccountLow',
    severity: 'warning',
    expr: 'max by (chain, address) (proofline_anchor_balance_low) == 1',
    for: '5m',
    summary: 'The account {{ $labels.address }} on {{ $labels.chain }} will soon not pay for anchors.',
    description: 'Send it funds: it pays for fewer transactions than ANCHOR_MIN_BALANCE.',
    anchor: 'anchor-account-empty',
    trial: {
      firing: { 'proofline_anchor_balance_low{chain="eip155:1", address="0x1"}': '1+0x10' },
      calm: { 'proofline_anchor_balance_low{chain="eip155:1", address="0x1"}': '0+0x10' },
      at: '8m',
      fires: [{ chain: 'eip155:1', address: '0x1' }],
    },
  },
  {
    name: 'AnchorAccountEmpty',
    severity: 'critical',
    expr: 'min by (chain, address) (proofline_anchor_balance_transactions) < 1',
    for: '5m',
    summary: 'The account {{ $labels.address }} on {{ $labels.chain }} pays for no anchor.',
    description: 'Send it funds. Until then receipts are sealed and wait; nothing is lost.',
    anchor: 'anchor-account-empty',
    trial: {
      firing: { 'proofline_anchor_balance_transactions{chain="eip155:1", address="0x1"}': '0.5+0x10' },
      calm: { 'proofline_anchor_balance_transactions{chain="eip155:1", address="0x1"}': '1+0x10' },
      at: '8m',
      fires: [{ chain: 'eip155:1', address: '0x1' }],
    },
  },
  {
    name: 'AnchorRpcFails',
    severity: 'warning',
    for: '10m',
    expr: 'sum(rate(proofline_anchor_rpc_errors_total[5m])) > 0.01',
    summary: 'Questions to the chain are not answered.',
    description:
      'The endpoint of ANCHOR_RPC_URL is away or limits us: see its provider’s status and our plan there. Receipts wait for their anchors meanwhile.',
    anchor: 'anchor-rpc-fails',
    trial: {
      firing: { 'proofline_anchor_rpc_errors_total{method="eth_call"}': '0+3x30' },
      calm: { 'proofline_anchor_rpc_errors_total{method="eth_call"}': '0 3+0x30' },
      at: '15m',
      fires: [{}],
    },
  },
  {
    name: 'MarketFeedStale',
    severity: 'warning',
    for: '5m',
    expr: 'max by (symbol) (proofline_market_feed_stale) == 1',
    summary: 'The figures of {{ $labels.symbol }} are older than they may be.',
    description:
      'Every answer says so. See MarketFeedTrouble, and whether jobs of analytics.tick or analytics.take succeed.',
    anchor: 'market-feed-stale',
    trial: {
      firing: { 'proofline_market_feed_stale{symbol="SPX"}': '1+0x10' },
      calm: { 'proofline_market_feed_stale{symbol="SPX"}': '1 1 0+0x10' },
      at: '8m',
      fires: [{ symbol: 'SPX' }],
    },
  },
  {
    name: 'MarketFeedTrouble',
    severity: 'warning',
    for: '10m',
    expr: 'max by (symbol) (proofline_market_feed_trouble) == 1',
    summary: 'What the feed of {{ $labels.symbol }} gives cannot be used.',
    description:
      'Figures are those of its last good data. `feed_status` of any answer says what it is: unavailable, refused, invalid or half_chain; see the feed’s address (FEED_CBOE_URL) or folder (FEED_FOLDER).',
    anchor: 'market-feed-trouble',
    trial: {
      firing: { 'proofline_market_feed_trouble{symbol="SPX"}': '1+0x20' },
      calm: { 'proofline_market_feed_trouble{symbol="SPX"}': '0+0x20' },
      at: '15m',
      fires: [{ symbol: 'SPX' }],
    },
  },
];
