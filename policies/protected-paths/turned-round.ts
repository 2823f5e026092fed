import { everywhere, type JudgedChange, linesOf } from './edited-files.ts'

/** Words of conditions that decide who may do what, and whether something can be trusted. */
const deciding =
  /(?<!\w)(?:\w*[._])?(?:is_?|has_?|can_?|may_?|in)?(?:admin|role|owner|staff|member|auth\w*|log(?:ged)?_?in|permi\w+|allow\w*|forbid\w*|den(?:y|ied)|valid\w*|verif\w*|expire\w*|signature|csrf|locked|banned|blocked|enabled_for|tenant|(?:rate_?)?limit\w*|quota|attempts)\b/i
const refusing =
  /\b(?:return|throw|raise|abort|reject|deny|forbid\w*|kick|redirect|die|exit|panic|halt|Err)\b|\b4(?:01|03|13|15|22|29)\b/i

/** The signs that turn a condition round: negations, comparisons, and those that join its parts. */
const senses = /!==?|===?|<=?|>=?|!(?!=)|&&|\|\||\b(?:not|and|or|unless|if|is|true|false)\b/i
const meaningOf = (line: string) =>
  line
    .replaceAll(everywhere(senses), ' ')
    .replaceAll(/[\s()]+/g, ' ')
    .trim()
const sensesOf = (line: string) => (line.match(everywhere(senses)) ?? []).map((one) => one.toLowerCase()).join(' ')
const isCondition = (line: string) => /\b(?:if|unless|elif|when|while|guard|assert|require|return)\b|\?/.test(line)

/** True if two comparisons differ only in whether the bound itself counts. */
const looseEqual = (one: string, other: string) => one.replaceAll('=', '') === other.replaceAll('=', '')

/** A condition that decides nothing any more: `false && …`, `… || true`. */
const constant =
  /\b(?:if|unless|elif|while|return)\b[\s(]*(?:(?:false|0)\s*(?:&&|and\b)|(?:true|1)\s*(?:\|\||or\b))|(?<!\$\([^()\n]{0,200})(?:\|\||\bor)\s*(?:true|1)\s*[){:;]|(?:&&|\band)\s*(?:false|0)\s*[){:;]/i

const sql = /\b(?:select\s.+\sfrom|insert\s+into|update\s.+\sset|delete\s+from)\b/i
const placeholder = /\$\d\b|%s\b|(?<=[\s(,=])\?(?=[\s),'"`;]|$)|(?<=[\s(,=]):\w+|@\w+/
const interpolated =
  /\$\{|#\{|["'`]\s*(?:\+|\.(?!\w+\())\s*\$?\w|\bf"[^"\n]*\{|"[^"\n]*\{?\$[a-z]\w*|\bf'[^'\n]*\{|%\s*\(|\.format\(/

/** Ways to put text into a page as it is. */
const raw =
  /dangerouslySetInnerHTML|\bv-html\b|\{!!|\|\s*(?:safe|raw)\b|\.html_safe\b|(?<!\.)\braw\(|\.innerHTML\s*=|bypassSecurityTrust\w+|<%==|\bMarkup\(|mark_safe\(/
const cleaned = /sanitiz|purify|escape|bleach|clean|scrub/i

/** Values that the other side decides about if they come from its request. */
const own =
  /\b(?:price|amount|total|cost|discount|balance|role|is_?admin|permissions?|owner_?id|user_?id|tenant_?id|credits)\b/i
const fromRequest =
  /\b(?:req|request|params|ctx\.request|event)\.?(?:body|query|params|form|json|args|POST|GET|data|input)?\b(?:\.|\[|\()/

/** Cookies, tokens and events that are taken as they come, where they were opened with a key. */
const opened =
  /\bcookies\.(?:signed|encrypted|permanent\.signed)\b|\bconstruct_?event\b|\bunsign\(|\bitsdangerous\b|\bverify_header\b/i

/** Returns how a change turns the meaning of code round, so that it lets through what it kept out. */
export function turnedRound({ removed, added, isTest }: JudgedChange): string | undefined {
  if (isTest || removed === '' || added === '') return undefined
  if (constant.test(added) && !constant.test(removed) && isCondition(removed)) return 'would decide nothing any more'
  const before = linesOf(removed)
  const meanings = Map.groupBy(before, meaningOf)
  for (const line of linesOf(added)) {
    const was = meanings.get(meaningOf(line))?.find((one) => one.trim() !== line.trim())
    if (was === undefined || !isCondition(was) || !deciding.test(was)) continue
    if (!looseEqual(sensesOf(was), sensesOf(line)) && (refusing.test(removed) || /\breturn\b/.test(was)))
      return `would turn \`${was.trim().slice(0, 80)}\` round`
  }
  if (
    before.length <= 3 &&
    deciding.test(removed) &&
    /\breturn\b/.test(removed) &&
    /^\s*return\s+true;?\s*$/i.test(added)
  )
    return 'would let everybody through'
  if (
    sql.test(removed) &&
    sql.test(added) &&
    placeholder.test(removed) &&
    !placeholder.test(added) &&
    interpolated.test(added)
  )
    return 'would put a value into SQL as text, where it was a parameter'
  if (raw.test(added) && !raw.test(removed) && !cleaned.test(added) && sharesName(removed, added))
    return 'would put text into a page as it is, where it was escaped'
  const given = linesOf(added).find((line) => own.test(line.split(/[=:]/, 1)[0] ?? '') && fromRequest.test(line))
  if (given !== undefined && !fromRequest.test(removed) && own.test(removed))
    return `would take \`${given.trim().slice(0, 80)}\` from whoever asks`
  const key = opened.exec(removed)
  if (key !== null && !opened.test(added)) return `would lose \`${key[0]}\``
  return undefined
}

/** True if what is put into the page is what was there before. */
const sharesName = (removed: string, added: string) => {
  const there = new Set(removed.match(/\b[a-z_]\w{3,}\b/gi))
  return (added.match(/\b[a-z_]\w{3,}\b/gi) ?? []).some(
    (name) => there.has(name) && !/^(?:class\w*|div|span|const|return)$/.test(name),
  )
}
