/** A literal argument of a call in a rules file of Codex. */
export type RuleValue = string | readonly RuleValue[]

/** A call in a rules file of Codex: `prefix_rule(pattern = ["git", "push"], decision = "prompt")`. */
export interface RuleCall {
  readonly name: string
  /** The arguments by their names; `undefined` if one of them is not a literal. */
  readonly named: Readonly<Record<string, RuleValue>> | undefined
  readonly source: string
}

const token = /#[^\n]*|"""[^]*?"""|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|[A-Za-z_]\w*|\d+|[^\s]/g

/** Reads the calls of a rules file, which is Starlark: comments, and calls with literal arguments. */
export function callsIn(text: string): readonly RuleCall[] {
  const tokens = [...text.matchAll(token)].filter(([one]) => !one.startsWith('#'))
  const texts = tokens.map(([one]) => one)
  const calls: RuleCall[] = []
  for (let at = 0; at < tokens.length; at++) {
    const name = texts[at] ?? ''
    if (!/^[A-Za-z_]/.test(name) || texts[at + 1] !== '(') continue
    const end = closing(texts, at + 1)
    const inside = texts.slice(at + 2, end)
    const source = text.slice(tokens[at]?.index, (tokens[end]?.index ?? text.length - 1) + 1).replaceAll(/\s+/g, ' ')
    calls.push({ name, named: argumentsOf(inside), source })
    at = end
  }
  return calls
}

/** Returns the index of the bracket that closes the one at an index. */
function closing(tokens: readonly string[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    if (/^[([{]$/.test(tokens[at] ?? '')) depth++
    else if (/^[)\]}]$/.test(tokens[at] ?? '') && --depth === 0) return at
  }
  return tokens.length
}

function argumentsOf(tokens: readonly string[]): Readonly<Record<string, RuleValue>> | undefined {
  const named: Record<string, RuleValue> = {}
  let rest = tokens
  while (rest.length > 0) {
    const [name = '', equals, ...behind] = rest
    const value = equals === '=' ? valueOf(behind) : undefined
    if (value === undefined) return undefined
    named[name] = value.value
    if (value.rest.length > 0 && value.rest[0] !== ',') return undefined
    rest = value.rest.slice(1)
  }
  return named
}

interface ReadValue {
  readonly value: RuleValue
  readonly rest: readonly string[]
}

function valueOf([first, ...rest]: readonly string[]): ReadValue | undefined {
  if (first === undefined) return undefined
  if (/^["']/.test(first)) return { value: unquoted(first), rest }
  if (first !== '[') return undefined
  const list: RuleValue[] = []
  let left: readonly string[] = rest
  while (left[0] !== ']') {
    const one = valueOf(left)
    if (one === undefined) return undefined
    list.push(one.value)
    left = one.rest[0] === ',' ? one.rest.slice(1) : one.rest
  }
  return { value: list, rest: left.slice(1) }
}

function unquoted(text: string): string {
  const quotes = text.startsWith('"""') ? 3 : 1
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
  return text.slice(quotes, -quotes).replaceAll(/\\([^])/g, (_, one: string) => escapes[one] ?? one)
}
