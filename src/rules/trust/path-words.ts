import type { Program } from '../../model/rule.ts'
import { limits } from '../../model/limits.ts'
import { literalText } from '../match/glob.ts'
import { runsOthers } from '../match/shell-condition.ts'
import { readShell } from '../match/shell-words.ts'
import { runsNothing } from './harmless.ts'

/**
 * Every word of a command that may be a path: as the shell will see it, and the pieces of `--config=…`, `a:b` or
 * `node -e "…"`. `undefined` where only running it would tell: behind `tools/*.sh` or `$script` there may be any file, and
 * one that is not pinned may change without a word. A command that runs nothing may have such words.
 */
export function pathWords(
  program: Exclude<Program, { form: 'script' }>,
  root: string,
  home: string,
): readonly string[] | undefined {
  const texts = program.form === 'exec' ? [program.file, ...program.args] : [program.command]
  if (texts.some((text) => text.includes(projectMark) || text.includes(homeMark))) return undefined
  const marked = texts.map(withMarks)
  const whole = program.form === 'exec' ? runTexts(marked, 0) : shellWords(marked.join(), 0)
  if (whole === undefined) return undefined
  // The text as it stands counts as well: in single quotes, `$PWD` is the name of a file.
  const pieces = [...texts, ...marked, ...whole].flatMap((text) => text.split(/[\s'"`=:,;|&<>(){}[\]]+/))
  const words = new Set(
    [...texts, ...marked, ...whole, ...pieces]
      .filter((word) => word !== '' && !word.includes('\0'))
      .map((word) =>
        word
          .replace(/^~(?=\/|$)/, homeMark)
          .replaceAll(projectMark, root)
          .replaceAll(homeMark, home),
      ),
  )
  return words.size > limits.pinnedWordsMax ? undefined : [...words]
}

/** Stand for folders while a command is taken apart, since a path may hold what a shell would act on. */
const projectMark = '\ue000'
const homeMark = '\ue001'

/** A hook of a workspace runs at its root; after a `cd`, `$PWD` is where that went, as is `.`. */
function withMarks(text: string): string {
  return text
    .replaceAll(/\$(?:\{CLAUDE_PROJECT_DIR\}|CLAUDE_PROJECT_DIR\b)/g, projectMark)
    .replaceAll(/\$(?:\{HOME\}|HOME\b)/g, homeMark)
    .replaceAll(/\$(?:\{PWD\}|PWD\b)/g, '.')
}

function shellWords(text: string, depth: number): readonly string[] | undefined {
  // What is left of these names gives them another value.
  if (depth > limits.conditionNestingMax || /\b(?:CLAUDE_PROJECT_DIR|HOME|PWD)\b/.test(text)) return undefined
  const { words, commands, sure } = readShell(text)
  const known = words.flatMap((word) => literalText(word) ?? [])
  // `~+` and `~-` are variables too, and `~name` is somebody's home.
  const isKnown = known.length === words.length && !known.some((word) => /^~[^/]/.test(word))
  if (!sure || !(isKnown || commands.every(runsNothing))) return undefined
  return runTexts(known, depth, text)
}

/** The words, and those of every word that may be a shell's text itself: `sh -c 'sh tools/guard.sh'`. */
function runTexts(words: readonly string[], depth: number, within?: string): readonly string[] | undefined {
  if (!words.some(runsOthers)) return words
  const inner = words.filter((word) => word !== within && /[\s;&|<>()$`*?[{~\\'"]/.test(word))
  const all = inner.map((word) => shellWords(word, depth + 1))
  return all.includes(undefined) ? undefined : [...words, ...all.flatMap((some) => some ?? [])]
}
