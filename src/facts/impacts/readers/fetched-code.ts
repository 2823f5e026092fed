import { hasTrait } from '../../programs/table.ts'
import type { Call } from '../../../words/calls.ts'
import { hostOf } from '../../../words/request.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { lineOf, readOptions, asksForHelp } from '../../../words/options.ts'
import type { Impact } from '../../../model/impact.ts'
import { type ImpactFound, makeImpact } from '../make-impact.ts'
import { isUnchecked } from '../../../words/variables.ts'
import { uncheckedOption } from '../../programs/deeds/packages.ts'
import { deedsOf } from '../by-deeds.ts'

/**
 * Programs that run code from an address, by the words behind which it stands: `''` if it is the first operand, `url` if it
 * may be any word.
 */
const takesAddresses: Readonly<Record<string, readonly string[]>> = {
  deno: ['run', 'serve', 'eval', 'install', 'test', 'bench', ''],
  bun: ['run', 'x', ''],
  npx: [''],
  pnpx: [''],
  bunx: [''],
  uvx: [''],
  uv: ['run'],
  pipx: ['run'],
  go: ['run'],
  papermill: [''],
  jbang: ['', 'run'],
  groovy: [''],
  javaws: [''],
  osascript: [''],
  'ansible-pull': ['url'],
  nix: ['run', 'shell', 'develop'],
  'nix-shell': [''],
  pwsh: [''],
}
/** Programs of Windows that run code from an address in any word. Their options begin with `/`, with a value behind `:`. */
const ofWindows = new Set(['mshta', 'msiexec', 'regsvr32', 'rundll32', 'cscript', 'wscript'])
/** Programs of Windows that have another purpose, and by these options download files unseen by scanners. */
const covert: Readonly<Record<string, RegExp>> = {
  certutil: /^[-/](?:urlcache|verifyctl)$/i,
  bitsadmin: /^\/(?:transfer|addfile)$/i,
}

const isAddress = (word: string) => /^(?:[a-z]+[+:])?(?:https?|ftp|git|ssh|javascript):\/{0,2}/i.test(word)

/** Finds code that a program runs from an address, and downloads that scanners do not see. */
export function impactsOfFetchedCode(call: Call): readonly Impact[] {
  const { program, args } = call
  const impactsOf = (found: Pick<ImpactFound, 'kind' | 'object' | 'names' | 'words' | 'targets' | 'extent'>) => [
    makeImpact(call, lineIn(call, {}), { ...found, thing: 'code', area: 'fetched-code', undo: 'never' }),
  ]
  const address = addressOf(call)
  if (address !== undefined) {
    const targets = { host: [hostOf(address)] }
    return impactsOf({ kind: 'run', object: 'whatever is at', names: [address], words: '…', targets })
  }
  const word = Object.hasOwn(covert, program) ? args.find(({ value }) => covert[program]?.test(value)) : undefined
  return word === undefined
    ? []
    : impactsOf({ kind: 'create', object: 'file', names: [], words: word.value, extent: 'unknown' })
}

function addressOf({ program, args }: Call): string | undefined {
  const isWindows = ofWindows.has(program)
  const verbs = isWindows ? [''] : Object.hasOwn(takesAddresses, program) ? takesAddresses[program] : undefined
  if (verbs === undefined) return undefined
  const words = args.map(({ value }) => (isWindows ? value.replace(/^[-/][a-z]+:(?=[a-z]+:)/i, '') : value))
  if (asksForHelp(args)) return undefined
  if (isWindows || verbs.includes('url')) return words.find(isAddress)
  const operands = readOptions(words.map((value) => ({ value }))).operands.map(({ value }) => value)
  const named = verbs.includes(operands[0] ?? '') ? operands.slice(1) : verbs.includes('') ? operands : []
  // Words after the script are its arguments.
  return named.slice(0, 1).find(isAddress)
}

/**
 * Finds variables, settings of git and options of the system's package managers that turn off the checks of packages.
 * `withPackages` reads the options of other managers, since programs that they start have options of the same names.
 */
export function findWeakenedChecks(call: Call): readonly Impact[] {
  const names = [...variablesOf(call), ...gitSettingsOf(call), ...optionsOf(call)]
  return names.length === 0
    ? []
    : [
        makeImpact(call, lineIn(call, {}), {
          kind: 'weaken',
          thing: 'guard',
          area: 'packages',
          object: 'the check of packages',
          names,
          undo: 'never',
          words: names.join(' '),
          targets: { unchecked: names },
        }),
      ]
}

function variablesOf({ program, args, command }: Call): readonly string[] {
  const own = command.assignments.map(({ name, value }) => `${name}=${value.value}`)
  return [...own, ...(hasTrait(program, 'declares') ? args.map(({ value }) => value) : [])].filter((text) =>
    isOff('variable', text),
  )
}

function gitSettingsOf({ program, command }: Call): readonly string[] {
  const line = hasTrait(program, 'git') ? lineOf(command) : undefined
  if (line === undefined) return []
  const once = line.globals.values('c').map(({ value }) => value)
  const [name, value] =
    line.subcommand === 'config' ? line.operands.filter((word) => !/^(?:set|--add)$/.test(word.value)) : []
  const kept = name === undefined ? [] : [`${name.value}=${value?.value ?? ''}`]
  return [...once, ...kept].filter((text) => isOff('setting', text))
}

const optionsOf = ({ program, args }: Call): readonly string[] =>
  deedsOf(program).some(({ area }) => area.name === 'system-packages')
    ? args.map(({ value }) => value).filter((text) => uncheckedOption.test(text))
    : []

function isOff(as: 'variable' | 'setting', text: string): boolean {
  const equals = text.indexOf('=')
  return equals !== -1 && isUnchecked(as, text.slice(0, equals), text.slice(equals + 1))
}
