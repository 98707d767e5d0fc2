/** The sentence of problem details or of an error of the studio; the text, cut short, where it is neither. */
export function answerSentence(text: string): string {
  const { error, detail } = parsed(text);
  const sentence = error?.message ?? detail;
  return typeof sentence === 'string' ? sentence : text.slice(0, 500);
}

function parsed(text: string): { readonly error?: { readonly message?: unknown }; readonly detail?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
