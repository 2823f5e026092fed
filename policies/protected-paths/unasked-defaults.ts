import { everywhere, type JudgedChange, linesOf } from './edited-files.ts'

const either = /\b(?:true|false)\b/i
/** Options by which a program does not ask, and those by which it does, or only shows what it would do. */
const unasked =
  /(?<![a-z])(?:(?:assume[-_]?)?yes|force|auto[-_]?approve|no[-_]?(?:confirm|verify|prompt|backup)\w*|skip[-_]?\w*|non[-_]?interactive|unsafe|insecure)(?![a-z])/i
const asked =
  /(?<![a-z])(?:dry[-_]?run|simulate|confirm\w*|interactive|prompt|ask|verify|backup|safe[-_]?mode|read[-_]?only)(?![a-z])/i
/** Lines that give an option of a program, or a variable of its environment, its default. */
const defaults = /default|["'`-]{1,3}[a-z][\w-]*["'`/]|:-(?:true|false)/i

/** A line without its sentences: what is told about an option is not its name. */
const withoutSentences = (line: string) =>
  line.replaceAll(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g, (text) => (text.includes(' ') ? '' : text))

/** Returns the line by which a program would do without a question what it asked about before. */
export function unaskedDefault({ removed, added }: JudgedChange): string | undefined {
  const before = new Map(linesOf(removed).map((line) => [line.replaceAll(everywhere(either), '?'), line]))
  return linesOf(added)
    .find((line) => {
      const was = before.get(line.replaceAll(everywhere(either), '?'))
      if (was === undefined || was === line || !defaults.test(line)) return false
      const named = withoutSentences(line)
      const isOn = /true/i.test(line.match(everywhere(either))?.find((word, at) => word !== wordAt(was, at)) ?? '')
      return isOn ? unasked.test(named) && !asked.test(named) : asked.test(named)
    })
    ?.trim()
}

const wordAt = (line: string, at: number) => line.match(everywhere(either))?.[at]
