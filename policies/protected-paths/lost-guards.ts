import { everywhere, type JudgedChange, linesOf, runsOfLines } from './edited-files.ts'
import { isGuard, withoutGuard } from './guard-words.ts'

/** Words of something that may stand in place of a guard, in what is added. */
const alike =
  /\b(?:can|may|allow\w*|polic\w+|guard\w*|acl|roles?\w*|permi\w+|auth\w*|protect\w*|secur\w+|back_?up|snapshot|confirm|prompt|middleware|valid\w+|verif\w+|schema|safe\w*|session\w*)/i
/** A list under a name that has nothing in it. */
const emptyList = /[\w$]+["']?\s*(?:=>?|:)\s*(?:\[\s*\]|\(\s*\)|\{\s*\})/
const opposite = /permitAll|allow_?any\w*|allowanonymous|anonymous|unauthenticated|insecure|unsafe|public\w*/i
const bare =
  /^[\s{}()[\];,]*$|^\s*\[.{1,80}\]\s*(?:\|\||&&)\s*(?:exit|return|die)\b|^\s*if\s*\(?!?\w{1,20}\)?:?\s*(?:return|exit)\b|^\s*(?:return|throw|raise|abort|exit|die|next|halt|else|end|then|fi|pass|res\.|reply\.|c\.|ctx\.|log|logger|console)\b|^\s*[\w-]+:\s*$/
/** Lines that bring or make a name: they guard nothing by themselves. */
export const defines =
  /^\s*(?:import|from|use|using|require|include|#include|export\s+\{|const \{[^}]*\} = require)\b|\b(?:function|def|func|fn|fun|class|interface|type)\s+\w+|^\s*(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>)/

/** Names of files whose functions decide who may do what. */
const deciding = /auth|permission|acl|guard|valid|verif|secur|polic|session|token|signature|access/i
const answersYes = /^\s*(?:return\s+(?:true|True|next\(\)|Ok\(\(\)\)|nil|null|undefined);?|next\(\);?|true)\s*$/

/** True if code that decided something answers the same to everybody. */
export function answersAlways({ path, removed, added, isTest, sets }: JudgedChange): boolean {
  if (isTest || sets || !deciding.test(path)) return false
  const lines = linesOf(added).filter((line) => !/^[\s{}()]*$/.test(line))
  return (
    lines.length === 1 &&
    answersYes.test(lines[0] ?? '') &&
    linesOf(removed).some((line) => /\breturn\b|\bif\b/.test(line) && !answersYes.test(line))
  )
}

/** Returns a line that protected something, which goes while what it protected stays. */
export function lostGuard(change: JudgedChange, come: string, isSafe: (line: string) => boolean): string | undefined {
  if (change.isTest || change.removed === '') return undefined
  const guards = (line: string) => isGuard(line, change, isSafe) && !defines.test(line)
  if (linesOf(come).some(guards)) return undefined
  const added = linesOf(change.added)
  const instead = come.replaceAll(everywhere(opposite), '').replaceAll(everywhere(emptyList), '')
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
      if (isSafe(found) && !come.includes(words(found)[0] ?? '')) return found.trim()
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
