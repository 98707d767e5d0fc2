/** Limits that the studio never crosses by itself: the governance of its manifest. */
export const doctrine = {
  liveProviderSpend: 'approval_required',
  publishing: 'approval_required',
  voiceAndLikeness: 'approval_required',
  commercialClaims: 'approval_required',
  receipts: 'required_for_live_execution',
} as const;
