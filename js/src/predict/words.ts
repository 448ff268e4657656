/** The sentences in the language of the page: a template with named parts. Counterpart: jgrad/language.py. */

let known: Record<string, string> = {};

/** Say sentences in another language from now on. `words`: its sentences by the English ones. */
export function use(words: Record<string, string>): void {
  known = words;
}

export function say(template: string, parts: Record<string, unknown> = {}): string {
  const said = (Object.hasOwn(known, template) && known[template]) || template;
  return said.replace(/\{(\w+)\}/g, (_, name) => String(parts[name]));
}
