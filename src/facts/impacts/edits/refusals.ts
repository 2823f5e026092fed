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

/** Words of conditions that decide who may do what, and whether something can be trusted. */
const deciding =
  /(?<!\w)(?:\w*[._])?(?:is_?|has_?|can_?|may_?|in)?(?:admin|role|owner|staff|member|auth\w*|log(?:ged)?_?in|permi\w+|allow\w*|forbid\w*|den(?:y|ied)|valid\w*|verif\w*|expire\w*|signature|csrf|locked|banned|blocked|enabled_for|tenant|(?:rate_?)?limit\w*|quota|attempts)\b/i
const refusing =
  /\b(?:return|throw|raise|abort|reject|deny|forbid\w*|kick|redirect|die|exit|panic|halt|Err)\b|\b4(?:01|03|13|15|22|29)\b/i

/** Operators that can reverse a condition: negations, comparisons, `and` and `or`. */
const senses = /!==?|===?|<=?|>=?|!(?!=)|&&|\|\||\b(?:not|and|or|unless|if|is|true|false)\b/gi
const meaningOf = (line: string) =>
  line
    .replaceAll(senses, ' ')
    .replaceAll(/[\s()]+/g, ' ')
    .trim()
const sensesOf = (line: string) => (line.match(senses) ?? []).map((one) => one.toLowerCase()).join(' ')
const isCondition = (line: string) => /\b(?:if|unless|elif|when|while|guard|assert|require|return)\b|\?/.test(line)

/** True if the operators of two conditions differ only in whether a bound itself counts: `<` and `<=`. */
const areSameButBounds = (one: string, other: string) => one.replaceAll('=', '') === other.replaceAll('=', '')

/** Ways to put text into a page without escaping it. */
const raw =
  /dangerouslySetInnerHTML|\bv-html\b|\{!!|\|\s*(?:safe|raw)\b|\.html_safe\b|(?<!\.)\braw\(|\.innerHTML\s*=|bypassSecurityTrust\w+|<%==|\bMarkup\(|mark_safe\(/
const cleaned = /sanitiz|purify|escape|bleach|clean|scrub/i

/** Values that a server should decide itself, and not take from a request. */
const serverValues =
  /\b(?:price|amount|total|cost|discount|balance|role|is_?admin|permissions?|owner_?id|user_?id|tenant_?id|credits)\b/i
const fromRequest =
  /\b(?:req|request|params|ctx\.request|event)\.?(?:body|query|params|form|json|args|POST|GET|data|input)?\b(?:\.|\[|\()/

const weakens = (would: string): LostGuard => ({ kind: 'weaken', object: 'guard', would })

/** Returns how a change reverses a decision of code, or lets it use texts and values of others unchecked. */
export function findReversedCondition({ removed, added, isTest }: JudgedChange): LostGuard | undefined {
  if (isTest || removed === '' || added === '') return undefined
  const before = linesOf(removed)
  const meanings = Map.groupBy(new Set(before.map((line) => line.trim())), meaningOf)
  for (const line of new Set(linesOf(added).map((one) => one.trim()))) {
    const was = meanings.get(meaningOf(line))?.find((one) => one !== line)
    if (was === undefined || !isCondition(was) || !deciding.test(was)) continue
    if (!areSameButBounds(sensesOf(was), sensesOf(line)) && (refusing.test(removed) || /\breturn\b/.test(was)))
      return { kind: 'weaken', object: 'condition', name: was, would: 'turn it round' }
  }
  const isDecision = before.length <= 3 && deciding.test(removed) && /\breturn\b/.test(removed)
  if (isDecision && /^\s*return\s+true;?\s*$/i.test(added)) return weakens('let everybody through')
  if (raw.test(added) && !raw.test(removed) && !cleaned.test(added) && sharesName(removed, added))
    return weakens('put text into a page as it is, where it was escaped')
  const given = linesOf(added).find(
    (line) => serverValues.test(line.split(/[=:]/, 1)[0] ?? '') && fromRequest.test(line),
  )
  return given !== undefined && !fromRequest.test(removed) && serverValues.test(removed)
    ? weakens(`take \`${given.trim().slice(0, 40)}\` from whoever asks`)
    : undefined
}

/** True if added code uses a name of the removed code, so that it puts the same value into the page. */
const sharesName = (removed: string, added: string) => {
  const there = new Set(removed.match(/\b[a-z_]\w{3,}\b/gi))
  return (added.match(/\b[a-z_]\w{3,}\b/gi) ?? []).some(
    (name) => there.has(name) && !/^(?:class\w*|div|span|const|return)$/.test(name),
  )
}

/** Names of files whose functions decide who may do what. */
const decidingFiles = /auth|permission|acl|guard|valid|verif|secur|polic|session|token|signature|access/i
const answersYes = /^\s*(?:return\s+(?:true|True|next\(\)|Ok\(\(\)\)|nil|null|undefined);?|next\(\);?|true)\s*$/

/** Returns a loss if code that decided something now says yes to everybody. */
export function answersAlways({ path, removed, added, isTest, sets }: JudgedChange): LostGuard | undefined {
  if (isTest || sets || !decidingFiles.test(path)) return undefined
  const lines = linesOf(added).filter((line) => !/^[\s{}()]*$/.test(line))
  return lines.length === 1 &&
    answersYes.test(lines[0] ?? '') &&
    linesOf(removed).some((line) => /\breturn\b|\bif\b/.test(line) && !answersYes.test(line))
    ? weakens('let everybody through')
    : undefined
}

/** Match a call of a check whose result is used, and a call whose result is ignored. */
const heeded =
  /(?:\b(?:if|unless|guard|return|assert|require|err\w*\s*:?=)[^\n]{0,80}?(?<![\w.])(?:\w+\.)*(\w*(?:verif|valid|check|auth|permi|allow)\w*)\s*\()|\b(\w*(?:verif|valid|check|auth|permi|allow)\w*)\([^\n]*\)\s*\?;/i
const unheeded =
  /^\s*(?:\(void\)\s*|(?:let\s+|var\s+|const\s+)?_\s*:?=\s*)?(?:await\s+)?(?:\w+\.)*(\w*(?:verif|valid|check|auth|permi|allow)\w*)\s*\([^\n{}]*\)\s*;?\s*$/i

/** Returns a loss if a check is still called, but its result is no longer used. */
export function findIgnoredResult({ removed, added, isTest, isOwn }: JudgedChange): LostGuard | undefined {
  if (isTest || isOwn) return undefined
  const before = new Set(linesOf(removed).flatMap((line) => heeded.exec(line)?.slice(1) ?? []))
  const name = linesOf(added)
    .flatMap((line) => unheeded.exec(line)?.[1] ?? [])
    .find((one) => before.has(one))
  return name === undefined || linesOf(added).some((line) => heeded.exec(line)?.includes(name))
    ? undefined
    : { kind: 'weaken', object: 'check', name, would: 'no longer care what it says' }
}

/** Names of values by which a user proves their identity. */
const proof = /\b\w*(?:code|otp|token|pass(?:word|code)?|pin|secret|user(?:name)?|email|api_?key)\w*\b/i
const fixed = /(?:===?|\.equals\(|\beq\b)\s*\(?["'`]([^"'`\n]{3,80})["'`]/
const letsIn = /\b(?:return\s+(?:true|next\(\)|ok\b|nil\b|user\b)|next\(\)|grant|allow|authenticated\s*=\s*true)/i

/** Returns a loss if a fixed text becomes a way to sign in. */
export function findMasterKey({ removed, added, isTest, isOwn }: JudgedChange): LostGuard | undefined {
  const lines = isTest || isOwn ? [] : linesOf(added)
  for (const [at, line] of lines.entries()) {
    const [, key] = fixed.exec(line) ?? []
    if (key === undefined || removed.includes(key) || !/\b(?:if|when|unless|return)\b|\|\|/.test(line)) continue
    const [before = ''] = line.split(fixed, 1)
    if (proof.test(before) && (letsIn.test(line) || letsIn.test(lines[at + 1] ?? '')))
      return weakens(`let in whoever knows \`${key.slice(0, 40)}\``)
  }
  return undefined
}

/** Calls that print or log. */
const logging =
  /(?:\blog(?:ger)?\w*\s*[.(]|\blog(?:ger|ging)?\.(?:\w+)\s*\(|\bconsole\.\w+\(|\bprintln!?\(|\bfmt\.Print\w*\(|\bputs\b|\bprint\(|\bRails\.logger|\bLog\.[a-z]+\(|\berror_log\(|\bNSLog\(|\bos_log\(|\bslog\.\w+\(|\btracing::\w+!\()/i
/** Names of secret values in code, unless they are compared or called. */
const secretNames =
  /(?<![\w-])(?:\w*[._])?(?:pass(?:word|wd|phrase)|pw|pwd|secret|card_?num(?:ber)?|cvv|cvc|ssn|iban|api_?key|private_?key|access_?token|refresh_?token|session_?token|password_?hash|authorization|cookies?|(?:req|request)\.headers)(?![\w-])(?!\s*(?:\(|=[^=]|is\b|\.length|\s*[!=]=))/i
/** Words of a line that does not log the value itself, but its length, a mask, or whether it exists. */
const hidden =
  /redact|mask|hash\(|obfuscat|\*{3}|scrub|truncate|\b(?:drop|omit|except|without|reject|exclude)\w*\(|\?\s*["']|!!|len\(|bool\(|typeof/i

/** Removes texts from a line of code, except for the expressions in their placeholders. */
const withoutTexts = (line: string) =>
  line.replaceAll(/"(?:[^"\\\n]|\\.){0,300}"|'(?:[^'\\\n]|\\.){0,300}'|`(?:[^`\\\n]|\\.){0,300}`/g, (text) =>
    [...text.matchAll(/[$#]?\{([^{}]{1,80})\}/g)].map(([, value]) => ` ${value} `).join(' '),
  )

/** Returns a loss if a secret would be logged. */
export function findLoggedSecret({ removed, added, isTest, isOwn }: JudgedChange): LostGuard | undefined {
  const name = linesOf(isTest || isOwn ? '' : added)
    .filter((line) => logging.test(line) && !hidden.test(line) && !removed.includes(line.trim()))
    .flatMap((line) => secretNames.exec(withoutTexts(line))?.[0].trim() ?? [])
    .find((one) => !loggedIn(removed, one))
  return name === undefined ? undefined : weakens(`write \`${name}\` into a log`)
}
const loggedIn = (text: string, name: string) =>
  linesOf(text).some((line) => logging.test(line) && withoutTexts(line).includes(name))
