import { type JudgedChange, linesOf, type LostGuard, runsOfLines } from './edited-file.ts'
import { isGuard, withoutGuard } from './guard-words.ts'
import { isSafeSetting } from './settings.ts'

/** Words of something that may stand in place of a guard, in what is added. */
const alike =
  /\b(?:can|may|allow\w*|polic\w+|guard\w*|acl|roles?\w*|permi\w+|auth\w*|protect\w*|secur\w+|back_?up|snapshot|confirm|prompt|middleware|valid\w+|verif\w+|schema|safe\w*|session\w*)/i
/** A list under a name that has nothing in it. */
const emptyList = /[\w$]["']?\s{0,9}(?:=>?|:)\s{0,9}(?:\[\s{0,99}\]|\(\s{0,99}\)|\{\s{0,99}\})/g
const opposite = /permitAll|allow_?any\w*|allowanonymous|anonymous|unauthenticated|insecure|unsafe|public\w*/gi
const bare =
  /^[\s{}()[\];,]*$|^\s*\[.{1,80}\]\s*(?:\|\||&&)\s*(?:exit|return|die)\b|^\s*if\s*\(?!?\w{1,20}\)?:?\s*(?:return|exit)\b|^\s*(?:return|throw|raise|abort|exit|die|next|halt|else|end|then|fi|pass|res\.|reply\.|c\.|ctx\.|log|logger|console)\b|^\s*[\w-]+:\s*$/
/** Lines that bring or make a name: they guard nothing by themselves. */
export const defines =
  /^\s*(?:import|from|use|using|require|include|#include|export\s+\{|const \{[^}]*\} = require)\b|\b(?:function|def|func|fn|fun|class|interface|type)\s+\w+|^\s*(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>)/

/** Returns a line that protected something, which goes while what it protected stays. */
export function lostGuard(change: JudgedChange, come: string): LostGuard | undefined {
  const name = change.isTest || change.removed === '' ? undefined : guardGone(change, come)
  return name === undefined ? undefined : { kind: 'delete', object: change.sets ? 'setting' : 'guard', name }
}

function guardGone(change: JudgedChange, come: string): string | undefined {
  const guards = (line: string) => isGuard(line, change, isSafeSetting) && !defines.test(line)
  if (linesOf(come).some(guards)) return undefined
  const added = linesOf(change.added)
  const instead = come.replaceAll(opposite, '').replaceAll(emptyList, '')
  for (const lines of runsOfLines(change.removed)) {
    if (lines.some((line) => /^\s*(?:import|from|use|using)\b/.test(line)) && lines.every((line) => defines.test(line)))
      continue
    const found = lines.find(guards)
    if (found === undefined) continue
    const isAlone =
      lines.length <= 8 &&
      lines.every(
        (line) =>
          guards(line) ||
          bare.test(line) ||
          longWords(line).some((word) => longWords(found).includes(word)) ||
          added.some((other) => isMostOf(line, other)),
      )
    // A setting that goes for another one.
    if (
      change.sets &&
      !change.isOwn &&
      added.length > 0 &&
      !lines.some((line) => /^\s*(?:resource|kind|apiVersion)\b/.test(line))
    )
      if (isSafeSetting(found) && !come.includes(words(found)[0] ?? '')) return found.trim()
    if ((isAlone || isBlockOf(lines, found)) && !alike.test(instead)) return found.trim()
    const stripped = lines.filter(guards).find((line) => added.some((other) => isMostOf(line, other)))
    if (stripped !== undefined) return stripped.trim()
  }
  return undefined
}

/** True for lines that are one block, which a guard opens by its own name: `throttle 'logins' do … end`. */
const isBlockOf = (lines: readonly string[], guard: string) =>
  lines.length <= 8 &&
  lines[0] === guard &&
  /^\s*(?:throttle|blocklist|rate_?limit\w*|authenticate|authorize|protect\w*)\b[^\n]*(?:\bdo\b[^\n]{0,40}|\{)\s*$/i.test(
    guard,
  ) &&
  /^\s*(?:end|\}\)?;?)\s*$/.test(lines.at(-1) ?? '')

const words = (text: string): readonly string[] => text.match(/[\w$]+/g) ?? []
const longWords = (text: string) => words(text).filter(({ length }) => length >= 4)

/** True if a line says most of what another says beside its guard. */
function isMostOf(line: string, other: string): boolean {
  const rest = words(withoutGuard(line))
  const there = words(other)
  const kept = rest.filter((word) => there.includes(word))
  return kept.join('').length >= 8 && kept.length >= rest.length * 0.6
}
