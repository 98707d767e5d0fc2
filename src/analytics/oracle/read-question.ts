import { marketSymbol } from '#src/analytics/answers/symbol-params.ts';
import type { QuestionReader } from '#src/governance/missions/question-reader.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { planByRules } from './answer-by-rules.ts';
import { hasModel } from './ask-language-model.ts';

/** Reads how the rules would answer a question; the answer of a model is not known beforehand. */
export function readsQuestions(config: Config): QuestionReader {
  if (hasModel(config)) return () => ({ refusal: null, notUnderstood: [] });
  return (question, symbol) => {
    const plan = planByRules({ question, ...(symbol !== undefined && { symbol: marketSymbol(symbol) }) });
    if (!plan.answerable) return { refusal: plan.message, notUnderstood: [] };
    const refused = [...plan.refused, ...plan.unknown_symbols.map((name) => `there is no data of ${name}`)];
    return { refusal: refused.length > 0 ? refused.join('; ') : null, notUnderstood: plan.not_understood };
  };
}
