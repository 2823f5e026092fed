/** What a mod uses that could overrule hooks. */
interface ModUses {
  /** Events that it answers: it may do so in the place of hooks, or after them. */
  readonly events: readonly string[]
  /** What it calls to act by itself, where no hook is asked. */
  readonly calls: readonly string[]
  /** Files that it imports, relative to its own. */
  readonly imports: readonly string[]
}

/** Stands for what a text that cannot be read may use. */
const unreadable: ModUses = { events: [], calls: ['what cannot be read'], imports: [] }

/** The events before a tool is run. Those of `classic.` stand for the hooks of settings. */
const decided = ['tool.call', 'tool.check', 'classic.PreToolUse', 'classic.PermissionRequest']
const calls = /\bprocess\s*\??\.\s*(?:run|spawn)\b|\bfs\s*\??\.\s*write\b/g

/**
 * Finds in a module's source what it uses that could overrule hooks.
 *
 * Claude Code loads no module in which an event is other than a literal, or a call other than `$.noun.verb(…)`, so the
 * text tells. Escapes and comments could still stand within.
 */
export function overrulingUses(source: string | undefined): ModUses {
  if (source === undefined) return unreadable
  const plain = unescaped(source)
  const texts = [plain, plain.replace(/\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*/g, '')]
  const found = (pattern: RegExp) => texts.flatMap((text) => Array.from(text.matchAll(pattern)))
  // A word without a dot is an event only where it is the first argument of a call.
  const words = found(/(\(\s*)?(["'`])([\w.*]+)\2/g).flatMap(([, call, , word = '']) =>
    word.includes('.') || call !== undefined ? [word] : [],
  )
  return {
    events: words.filter((word) => word.startsWith('classic.') || decided.some((name) => matches(word, name))),
    calls: found(calls).map(([call]) => call.replaceAll(/[\s?]/g, '')),
    imports: found(/\b(?:from|import)\s*(?:\(\s*)?(["'`])(\.[^"'`\n]*)\1/g).map(([, , path = '']) => path),
  }
}

/** Replaces the escapes of characters that need none. */
const unescaped = (source: string) =>
  source
    .replace(/\\(?:u\{0*([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi, (_, braced, four, two) =>
      String.fromCodePoint(Math.min(Number.parseInt(String(braced ?? four ?? two), 16), 0x10_ff_ff)),
    )
    .replace(/\\(?:\r?\n|(?=[ac-eg-mo-qswyz.*]))/gi, '')

/** Compares an event with the name that a module listens to, in which `*` stands for anything. */
const matches = (word: string, name: string) =>
  new RegExp(`^${word.replaceAll('.', '\\.').replaceAll(/\*+/g, '.*')}$`).test(name)
