export { type CaseResult, type RunOptions, runConformance } from './run-cases.ts';
