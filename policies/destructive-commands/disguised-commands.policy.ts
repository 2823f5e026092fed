import { abstains, ask, asks, definePolicy, denies, deny, type ShellCommand, type ShellWord } from 'hookgate/policy'
import { pathMatcher } from './globs.ts'

/** Blanks that no shell splits at, and invisible characters. */
const invisible =
  /[\u00A0\u00AD\u061C\u115F\u1160\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\u3164\uFEFF\uFFA0]/
/** Characters that have what follows shown in another order. */
const reordering = /[\u202A-\u202E\u2066-\u2069]/
/** Letters of other scripts between Latin ones look like these. */
const mixed = /[a-z][\u0370-\u03FF\u0400-\u052F]|[\u0370-\u03FF\u0400-\u052F][a-z]/i
const wide = /[\uFF01-\uFF5E]/

/** Programs that a pattern is used to hide, and where they are. */
const hidden = `rm mv cp dd sh bash dash zsh cat tee nc ncat curl wget python3 perl ruby chmod chown kill find xargs tar
  env sudo ssh scp base64 awk sed mkfs shred head tail`.split(/\s+/)
const folders = ['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/** Tells whether a program is named by a pattern that programs of the system match: those that hide so, or others. */
function matchedBy({ pattern }: ShellWord): 'hidden' | 'other' | undefined {
  if (pattern?.startsWith('/') !== true) return undefined
  const matches = pathMatcher(pattern)
  const parts = folders.map((folder) => folder.split('/').slice(1))
  if (parts.some((folder) => hidden.some((name) => matches([...folder, name])))) return 'hidden'
  const matchesFolder = pathMatcher(pattern.slice(0, pattern.lastIndexOf('/')))
  return parts.some(matchesFolder) ? 'other' : undefined
}

/** Returns the name of a program, with a dot for each character that may deceive. */
const plain = (command: ShellCommand | undefined) =>
  (command?.written?.value ?? command?.program ?? '').replaceAll(/[^\x20-\x7E]/gu, '·')

export default definePolicy({
  id: 'disguised-commands',
  severity: 'high',
  description: 'Refuses commands that do not look like what they are: invisible characters, letters of other scripts',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ tool, shell }) {
    const at = shell.commands.findIndex(({ written }) => {
      const program = written?.value ?? ''
      return invisible.test(program) || mixed.test(program) || wide.test(program)
    })
    if (at !== -1) {
      return deny(
        `\`${plain(shell.commands[at])}\` has characters that look like others (here \`·\`): write it in plain letters and spaces`,
        { at },
      )
    }
    const patterned = shell.commands.map(({ written }) => written && matchedBy(written))
    const by = patterned.includes('hidden') ? 'hidden' : 'other'
    if (patterned.includes(by)) {
      const answer = by === 'hidden' ? deny : ask
      return answer(
        `\`${plain(shell.commands[patterned.indexOf(by)])}\` may stand for any program: write the name of the one that you mean`,
        {
          at: patterned.indexOf(by),
        },
      )
    }
    const assigning = shell.commands.findIndex(({ program, args }) => /^[\w.-]+=/.test(program) && args.length > 0)
    if (assigning !== -1)
      return ask(
        `\`${plain(shell.commands[assigning])}\` looks like a variable, but is the name of a program: fix it`,
        { at: assigning },
      )
    if (!reordering.test(tool.command ?? '')) return undefined
    const disguised = shell.commands.flatMap(({ written, args }, index) =>
      [written, ...args].some((word) => reordering.test(word?.value ?? '')) ? [index] : [],
    )
    return ask(
      `\`${plain(shell.commands[disguised[0] ?? 0])}\` has characters that make it look different from what runs: write it without them`,
      {
        at: disguised,
      },
    )
  },
  examples: [
    denies('blanks that are none', 'rm\u3000-rf\u3000/'),
    abstains('such blanks in a text', 'echo "a\u3000b"'),
    denies('one between Latin ones', 'sud\u043E ls'),
    abstains('such letters in a file name', 'cat \u043F\u0440.txt'),
    denies('a pattern of programs', '/b?n/r? -rf x'),
    denies('a pattern of one program', '/usr/bin/[r]m -rf x'),
    asks('a pattern of another program', '/usr/bin/gi? push --force'),
    asks('a pattern of a folder and a program', '/*/local/bin/do*er rm x'),
    abstains('a pattern of files in it', 'ls -l /usr/bin/gi?'),
    abstains('a pattern of a folder of versions', '/opt/tool-*/bin/tool --version'),
    abstains('a pattern of files', 'ls /bin/r?'),
    asks('another order', 'echo "a\u202Eb"'),
    asks('a variable that is none', 'A-B=1 make'),
    abstains('a variable', 'A_B=1 make'),
    abstains('plain letters', 'ls -l'),
  ],
})
