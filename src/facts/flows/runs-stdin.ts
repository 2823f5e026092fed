import type { ShellCommand } from '../../model/shell.ts'

/** Tells whether a command executes its stdin as code: it is an interpreter without a script argument. */
export function runsStdin({ program, args }: Pick<ShellCommand, 'program' | 'args'>): boolean {
  const given = scriptOptions.get(program.replace(/[-.\d]+$/, ''))
  if (given === undefined) return false
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? ''
    if (value === '-' || value === '/dev/stdin' || value === '-s') return true
    if (given.script.test(value)) return false
    if (given.valued.test(value)) at++
    else if (!value.startsWith('-') && !value.startsWith('+')) return false
  }
  return true
}

interface Given {
  /** Options that carry the script themselves (`-c CODE`), or that run no script at all (`--version`). */
  readonly script: RegExp
  /** Options whose value is the next argument. */
  readonly valued: RegExp
}

const shell: Given = {
  script: /^-[a-z]*[cn][a-z]*$|^--(?:help|version)$/,
  valued: /^[-+][a-z]*[oO]$|^--(?:rcfile|init-file)$/,
}
const python: Given = { script: /^-[A-Za-z]*[cmhV]|^--(?:help|version)$/, valued: /^-[A-Za-z]*[WXQ]$/ }
const perl: Given = { script: /^-[a-z]*[eEv]|^--(?:help|version)$/, valued: /^-[IMmx]$/ }
const node: Given = { script: /^-[a-z]*[epvh]|^--(?:eval|print|help|version)/, valued: /^(?:-r|--require|--import)$/ }
const php: Given = { script: /^-[rfSvilmh]|^--(?:run|file|help|version)/, valued: /^-[dc]$/ }
const plain: Given = { script: /^-[evh]|^--(?:eval|help|version)/, valued: /^$/ }

const scriptOptions: ReadonlyMap<string, Given> = new Map([
  ...['bash', 'sh', 'zsh', 'dash', 'ksh', 'mksh', 'ash', 'fish', 'csh', 'tcsh', 'rbash'].map(
    (name): [string, Given] => [name, shell],
  ),
  ...['python', 'pypy'].map((name): [string, Given] => [name, python]),
  ...['perl', 'ruby'].map((name): [string, Given] => [name, perl]),
  ...['node', 'nodejs', 'bun', 'deno'].map((name): [string, Given] => [name, node]),
  ['php', php],
  ...[
    'lua',
    'luajit',
    'julia',
    'rscript',
    'r',
    'pwsh',
    'powershell',
    'tclsh',
    'osascript',
    'psql',
    'mysql',
    'sqlite',
  ].map((name): [string, Given] => [name, plain]),
])
