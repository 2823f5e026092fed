import type { CodeLanguage } from '../../../model/shell.ts'
import type { Unwrap } from '../unwrap.ts'

const interpreters: readonly (readonly [RegExp, CodeLanguage])[] = [
  [/python|pypy/, 'python'],
  [/node|bun|deno/, 'javascript'],
  [/perl/, 'perl'],
  [/ruby/, 'ruby'],
  [/php/, 'php'],
  [/lua/, 'lua'],
  [/Rscript/, 'r'],
  [/pwsh|powershell/, 'powershell'],
]

/** Runs a file by its path whose content the text itself has written: `cat > x.sh <<E …`, then `./x.sh`. */
export const ownScript: Unwrap = ({ written, args }, starts) => {
  const content = written === undefined ? undefined : starts.content(written)
  if (written === undefined || content === undefined) return
  const [, interpreter] = /^#!(.*)/.exec(content.value) ?? []
  const language = interpreters.find(([name]) => interpreter !== undefined && name.test(interpreter))?.[1]
  if (language === undefined) starts.script(content, { parameters: [written, ...args] })
  else starts.code(language, content, { parameters: args })
}
