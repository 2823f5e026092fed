import { readOptions, type ShellCommand } from 'hookgate/policy'

/** Programs that run what an address leads to: as their first operand, or as the one behind a word. */
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
  mshta: [''],
  msiexec: [''],
  regsvr32: [''],
  rundll32: [''],
  cscript: [''],
  wscript: [''],
  osascript: [''],
  'ansible-pull': [''],
  nix: ['run', 'shell', 'develop'],
  'nix-shell': [''],
  pwsh: [''],
}

export const addressTakers = Object.keys(takesAddresses)

/** Options of theirs stand behind a `/`, in front of what they run. */
const ofWindows = /^(?:mshta|msiexec|regsvr32|rundll32|cscript|wscript)$/

const isAddress = (word: string) => /^(?:[a-z]+[+:])?(?:https?|ftp|git|ssh|javascript):\/{0,2}/i.test(word)

/** The address that a program is given to run what is there. */
export function scriptAddressOf({ program, args }: ShellCommand): string | undefined {
  const verbs = takesAddresses[program]
  if (verbs === undefined) return undefined
  // Programs of Windows have options behind `/`, which may have a value behind `:`.
  const words = args.map(({ value }) => value.replace(/^[-/][a-z]+:(?=[a-z]+:)/i, ''))
  if (words.some((word) => word === '--help' || word === '-h')) return undefined
  if (ofWindows.test(program)) return words.find(isAddress)
  const operands = readOptions(words.map((value) => ({ value }))).operands.map(({ value }) => value)
  const named = verbs.includes(operands[0] ?? '') ? operands.slice(1) : verbs.includes('') ? operands : []
  // Words after the script are its arguments.
  return [...named.slice(0, 1), ...(program === 'ansible-pull' ? words : [])].find(isAddress)
}

/** Programs of Windows that are for something else, and bring files past what watches over downloads. */
export function isCovertDownload({ program, args }: ShellCommand): boolean {
  const words = args.map(({ value }) => value.toLowerCase())
  if (program === 'certutil') return words.some((word) => /^[-/](?:urlcache|verifyctl)$/.test(word))
  return program === 'bitsadmin' && words.some((word) => /^\/(?:transfer|addfile)$/.test(word))
}
