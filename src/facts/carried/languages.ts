import { quotedWord } from '../../model/text.ts'

/** Interpreters of scripts that are no shells, with the option that takes the code. */
const interpreters: Readonly<Record<string, string>> = {
  python: '-c',
  python3: '-c',
  node: '-e',
  bun: '-e',
  ruby: '-e',
  perl: '-e',
  php: '-r',
  pwsh: '-Command',
  powershell: '-Command',
}

/** Returns the shell command that runs a script in the language of an interpreter; of an unknown one, the script. */
export function inLanguage(interpreter: string | undefined, script: string): string {
  const name = /^(?:\S*\/)?([a-z]+3?)/.exec(interpreter ?? '')?.[1] ?? ''
  const option = Object.hasOwn(interpreters, name) ? interpreters[name] : undefined
  return option === undefined ? script : `${name} ${option} ${quotedWord(script)}`
}

const shebang = /^\s*#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)/

/** Returns the command that runs a script as its first line says. */
export const asItsFirstLineSays = (script: string): string => inLanguage(shebang.exec(script)?.[1], script)

/** `${{ … }}` of GitHub, `{{ … }}` of just and Task, `<< … >>` of CircleCI: what stands there is put into the script's text. */
const templates = /\$?\{\{([^{}]*)\}\}|<<\s*([\w.]+)\s*>>/g

/** Replaces templates by variables of a shell: `${{ secrets.KEY }}` by `${KEY}`. Also where single quotes would keep it. */
export function withoutTemplates(script: string): string {
  return script.replaceAll(templates, (_, braced: string | undefined, angled: string | undefined, at: number) => {
    const inside = braced ?? angled ?? ''
    const all = /toJSON\(\s*secrets\s*\)/i.test(inside)
    const name = /\bHOME\b/.exec(inside)?.[0] ?? /(\w+)\W*$/.exec(inside)?.[1] ?? 'template'
    const shown = all ? '$(env)' : `\${${/^\d/.test(name) ? 'template' : name}}`
    return isQuoted(script, at) ? `'"${shown}"'` : shown
  })
}

/** Returns whether a place is within single quotes of its line. */
function isQuoted(script: string, at: number): boolean {
  const before = script.slice(script.lastIndexOf('\n', at - 1) + 1, at)
  return before.replaceAll(/\\.|"(?:\\.|[^"\\])*"/g, '').split("'").length % 2 === 0
}
