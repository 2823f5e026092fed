import { type JudgedChange, linesOf, type LostGuard, runsOfLines } from './edited-file.ts'

/** Opens a block that ends early if something is wrong, or says under which condition the rest runs. */
const opensCheck =
  /^\s*(?:(?:\}\s*)?(?:else\s+)?(?:if|unless|elif|elsif)\b|guard\b|(?:return\s+)?(?:require|check|assert|precondition|ensure)\w*!?\s*\(|\S[^\n]{0,200}\s<-\s)/
/** Ends what goes on, whatever it was. */
const refuses =
  /\b(?:throw|raise|panic!?|die|kick\w*|disconnect\w*|forbid\w*|fault\w*|trip\w*|emergency\w*|cancelAuthentication\w*|BadRequest\w*|Unauthorized|Forbidden)\b|(?:_fail|safe_stop|stop_all|_stop|[a-z]Stop|[a-z]Fail)\w{0,30}\s*\(|\breturn\s+(?:\w+\.)?reject\(|\babort\(\s*\d|\bErr\(|\{:error,|\breturn\s{1,9}\w{0,40}ERR|\b(?:require|check|precondition)\s*\([^\n]{0,200}\)\s*\{|\bdisable_all|\berrors?\.New\(|\bfmt\.Errorf\(|\b4(?:00|01|03|13|15|22|29)\b|\wError::|\b(?:error|flag)\w{0,40}\s{0,9}:/i
/** Ends a function without a reason; whether that refuses something, its condition tells. */
const leaves = /^\s*(?:return\b[^\n]{0,40}|continue|break);?\s*$/
/** There is nothing to do. */
const asksForNothing = /===?\s*0\b|!\s*\w+\.length|empty|\b(?:null|undefined|nil|None)\b/i
/** Words of conditions that keep harm from others: sizes, trust, money, consent. */
const mattering =
  /\b(?:len|size ?of|size|length|bounds?|capacity|max|min|maximum|minimum|limits?|avail|available|consents?|terms|age|underage|verif\w*|valid\w*|signatures?|checksum|allowed|allow|mime|extension|replay|score|cheat\w*|fraud\w*|balance|stock|quota|expire\w*|owners?|tenants?|permissions?|quantity|amount|price|nonce|legal|origin|trusted?|trust|pins?|private|approv\w*|locked|attempts|current|temperature|pressure|voltage|speed|admin|roles?|auth\w*)\b/i
/** A check in what is added: it may do the same in another way. */
const checks =
  /\b(?:if|unless|guard|throw|raise|when|match|switch|case|catch|except|rescue|schema|clamp)\b|(?:assert|require|ensure|(?<!un)check|valid|verif|expect|parse|polic|must)|\?\?|\?\s|&&|\|\|/i
const defines =
  /\b(?:function|def|defp|func|fn|fun|class|interface|impl)\s+\w+|^\s*(?:public|private|protected|static|async|export)\b[^\n;=]*\(/
const aside =
  /^[\s{}()[\];,]*$|^\s*(?:end|else|pass|\} else \{|do|then|fi)\s*$|\b(?:log\w*|metrics?|stats|counter|console|print\w*)\b/i

const namesIn = (line: string): readonly string[] => line.match(/\b[a-z_]\w{3,}\b/gi) ?? []
/** Writes `minimumAge` and `max_age` as words, so that each is seen. */
const spelledOut = (line: string) => line.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')

/** Returns which lines of a run belong to a check: those that open one, and those that stand deeper below them. */
function inChecks(lines: readonly string[]): readonly boolean[] {
  let depth: number | undefined
  return lines.map((line) => {
    const own = line.search(/\S/)
    if (depth !== undefined && own > depth) return true
    depth = opensCheck.test(line) ? own : undefined
    return depth !== undefined
  })
}

/**
 * Returns the refusal that goes while the work behind it stays: what is removed is the check alone, or what is added
 * says most of the rest and checks nothing.
 *
 * @param come what all changes of the call add: a refusal may move to another file
 */
export function lostRefusal(change: JudgedChange, come: string): LostGuard | undefined {
  if (change.sets || change.isTest || change.isOwn) return undefined
  const name = lostPart(change) ?? findLostCheck(change, come)
  return name === undefined ? undefined : { kind: 'delete', object: 'condition', name }
}

function findLostCheck({ removed, added }: JudgedChange, come: string): string | undefined {
  const names = new Set(namesIn(added))
  const checking = linesOf(added).filter((line) => checks.test(line))
  // `const ok = isAllowed(a)`, and `if (!ok)` behind it.
  const tested = linesOf(added).filter((line) => {
    const [, name] = /^\s*(?:(?:const|let|var|val|final)\s+)?(\w{1,40})\s*:?=(?!=)/.exec(line) ?? []
    return name !== undefined && checking.some((one) => one !== line && one.split(/\W+/).includes(name))
  })
  const checked = new Set([...checking, ...tested].flatMap(namesIn))
  const stays = (line: string) => namesIn(line).some((name) => names.has(name))
  for (const lines of runsOfLines(removed)) {
    if (lines.length > longest || lines.some((line) => defines.test(line) && !stays(line))) continue
    const isOwn = inChecks(lines)
    const telling = lines.find((line, at) => isOwn[at] === true && opensCheck.test(line) && isLost(line, checked, come))
    const own = lines.filter((_, at) => isOwn[at] === true)
    if (telling === undefined || !isRefusal(own, telling)) continue
    const namedByCheck = new Set(namesIn(telling))
    const others = lines.filter((line, at) => isOwn[at] !== true && !refuses.test(line) && !aside.test(line))
    // What is worked out for the check alone goes with it.
    const gone = others.filter(
      (line) => !stays(line) && !namesIn(line.split(/:?=/, 1)[0] ?? '').some((name) => namedByCheck.has(name)),
    )
    if (gone.length * 3 <= others.length) return telling.trim()
  }
  return undefined
}

/** True for a check of which nothing is asked any more, here or in another file of the same call. */
function isLost(line: string, checked: ReadonlySet<string>, come: string): boolean {
  if (come.includes(line.trim()) || ofKinds.test(line)) return false
  const asked = namesIn(line.split(/\b(?:throw|raise|return)\b|\{/, 1)[0] ?? '').filter((name) => !common.test(name))
  // Of a condition without a name of its own nobody can tell what asks for it now.
  return asked.length === 0 ? checked.size === 0 : !asked.some((name) => checked.has(name))
}
/** Conditions on types and on numbers of arguments: they keep a program's own parts in order. */
const ofKinds = /\barg(?:ument)?s\.length\b|\binstanceof\b|\btypeof\b|\bis_a\?|\bisinstance\(/
const common = /^(?:this|self|return|await|const|null|none|true|false|undefined|error|errors)$/i

const isRefusal = (own: readonly string[], telling: string) =>
  own.some((line) => refuses.test(line)) ||
  (own.some((line) => leaves.test(line)) && mattering.test(spelledOut(telling)) && !asksForNothing.test(telling))
/** A longer run of lines is another way to do it, rather than a check that goes. */
const longest = 16

const condition =
  /\b(?:if|elif|guard|unless|while|require|assert|when)\b\s*\(?([^{};]{1,400}?)(?:\)\s*(?:\{|return\b|throw\b|$)|\{|:\s*$|\bthen\b|\belse\b|$)/m
const partsOf = (text: string): readonly string[] =>
  (
    condition.exec(
      linesOf(text)
        .map((line) => line.trim())
        .join(' '),
    )?.[1] ?? ''
  )
    .split(/&&|\|\||,(?![^(]*\))|\b(?:and|or)\b/)
    .map((part) => part.replaceAll(/[\s()]+/g, ' ').trim())
    .filter((part) => part !== '')

/** Returns the part that a condition loses, where its other parts stay. */
function lostPart({ removed, added }: JudgedChange): string | undefined {
  const [before, after] = [partsOf(removed), partsOf(added)]
  if (after.length === 0 || after.some((part) => !before.includes(part))) return undefined
  const isAsked = (part: string) => linesOf(added).some((line) => checks.test(line) && line.includes(part))
  return before.find((part) => !after.includes(part) && mattering.test(spelledOut(part)) && !isAsked(part))
}
