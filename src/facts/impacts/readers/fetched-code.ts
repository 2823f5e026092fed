import type { Call } from '../../../words/calls.ts'
import { hostOf } from '../../../words/request.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { readOptions } from '../../../words/options.ts'
import type { Impact } from '../../../model/impact.ts'
import { type ImpactFound, makeImpact } from '../make-impact.ts'

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
  if (words.some((word) => word === '--help' || word === '-h')) return undefined
  if (isWindows || verbs.includes('url')) return words.find(isAddress)
  const operands = readOptions(words.map((value) => ({ value }))).operands.map(({ value }) => value)
  const named = verbs.includes(operands[0] ?? '') ? operands.slice(1) : verbs.includes('') ? operands : []
  // Words after the script are its arguments.
  return named.slice(0, 1).find(isAddress)
}
