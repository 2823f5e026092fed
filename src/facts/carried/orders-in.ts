import { shellWord, withoutEnd } from '../../model/text.ts'

/** A text in a prompt that may be a command or an address, and the words that say what to do with it. */
interface Quotation {
  readonly text: string
  readonly said: string
  /** It stands like a command, so that it is one unless the words say otherwise. */
  readonly isOrder?: true
}

/** Verbs of an order. */
const orders =
  /\b(?:run|execute|deploy|use|using|print|call|start|launch|do|fetch|open|get|invoke|type|visit|download|then|via|with)\b/i
/** Of a sentence that is about a command, or forbids it. */
const isAbout =
  /\b(?:explain|find|where|what|why|whether|how|review|search|list|describe|rules?|tests?|docs?|mentions?|stops?|blocks?|denie[sd]|implement|such as|like|says?|said|logs?|output|error|fails?|failed|because|instead of|example|ran|was|were|prints|reported|called?)\b/i
const prohibition =
  /\b(?:never|not|don't|mustn't|can't|cannot|shouldn't|avoid|forbid\w*|prohibited|off.limits|refuse|dangerous|instead of|rather than)\b|\bask (?:before|first|the user|me)\b/i

/**
 * Takes the commands out of what another agent is told, as far as it is told to run them, and the addresses that it is
 * told to open, as commands that open them. Each agent's own calls are judged as well: this is about what is asked of it.
 */
export function ordersIn(prompt: string): readonly string[] {
  return [...quotations(prompt)].flatMap(({ text, said, isOrder }) => {
    const isTold = (isOrder === true || orders.test(said)) && !isAbout.test(said) && !prohibition.test(said)
    if (!isTold) return []
    return [/^https?:\/\/\S+$/.test(text) ? `curl -s ${shellWord(text)}` : text.replaceAll(/^[ \t]*\$[ \t]+/gm, '')]
  })
}

function* quotations(prompt: string): Generator<Quotation> {
  // The line that announces the lines below it.
  let lead = ''
  let block: { readonly end: string; readonly isShell: boolean; readonly lines: string[] } | undefined
  const lines = prompt.split('\n')
  for (const [at, line] of lines.entries()) {
    const fence = /^[ \t]*(```|~~~)(\w*)/.exec(line)
    if (block !== undefined) {
      const isEnd = fence?.[1] === block.end
      if (!isEnd) block.lines.push(line)
      if (isEnd || at === lines.length - 1) {
        yield { text: block.lines.join('\n'), said: lead, ...(block.isShell && { isOrder: true }) }
        block = undefined
      }
    } else if (fence !== null) {
      block = {
        end: fence[1] ?? '',
        isShell: /^(?:(?:ba|z|k)?sh|shell|console|terminal)$/i.test(fence[2] ?? ''),
        lines: [],
      }
    } else if (/^[ \t]*\$[ \t]/.test(line)) yield { text: line, said: lead, isOrder: true }
    else if (/^(?: {4}|\t)/.test(line)) yield { text: line.trim(), said: lead }
    else if (line.trim() !== '') {
      const [, item] = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(.*)$/.exec(line) ?? []
      if (item === undefined) lead = lastSentence(line)
      yield* inLine(item ?? line, item === undefined || !lead.endsWith(':') ? '' : lead)
    }
  }
}

/** Yields what is quoted in a line, and what stands behind `run` without quotes. */
function* inLine(line: string, lead: string): Generator<Quotation> {
  for (const { 0: whole, 1: quoted, 2: inWords, index } of line.matchAll(
    /`([^`]+)`|"([a-z][\w.-]*\s[^"]+)"|https?:\/\/[^\s"'`<>)]+/g,
  )) {
    const text = withoutEnd(quoted ?? inWords ?? whole, '.,;:')
    const own = behindColon(lastSentence(line.slice(0, index)))
    const isAll = quoted !== undefined && line.replace(whole, '').trim() === ''
    yield { text, said: `${lead} ${own}`, ...(isAll && { isOrder: true }) }
  }
  for (const { 0: whole, 1: command = '', index } of line
    .trimEnd()
    .matchAll(
      /\b(?:run|execute):?\s+((?!the\b|an?\b|all\b)[a-z][\w.-]*\s[^`\n]{0,120}?)(?=\s(?:and|then|to|in order|so|until|which|before|after)\s|[.,;]?$|[.;,]\s)/gi,
    ))
    yield {
      text: command,
      said: `${lead} ${lastSentence(line.slice(0, index))} ${whole.slice(0, whole.length - command.length)}`,
    }
}

/** Returns what stands behind the last colon that has a word behind it. */
function behindColon(text: string): string {
  const parts = text.split(':')
  const at = parts.findLastIndex((part) => /\w/.test(part))
  return at <= 0 ? text : parts.slice(at).join(':')
}

/** Returns the end of a text from where its last sentence begins. */
function lastSentence(text: string): string {
  const near = text.slice(-sentenceMax)
  return near.slice(near.search(/[^.;!?]*(?:[.;!?]\s*)?$/))
}
/** A longer sentence is none that a person wrote. */
const sentenceMax = 200
