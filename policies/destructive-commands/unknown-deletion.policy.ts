import { abstains, ask, asks, definePolicy, denies, deny, type ShellWord, unknownPart } from 'hookgate/policy'
import { deletionsIn, temporaryFolders } from './deletions.ts'

/** An unknown program with the arguments of a recursive deletion. */
const isRecursive = (word: string) => /^-[a-z]*r/i.test(word) && !/^-[a-z]*[^rfvid-]/i.test(word)
const isVital = (word: string) =>
  /^(?:\/|~\/?|\/\*|\/(?:bin|boot|etc|home|lib|opt|root|sbin|usr|var)\/?\*?)$/.test(word)

/** True if a folder is followed only by an unknown part, which may be empty: the folder itself is meant then. */
const isBare = (written: string) => /\/[$\uFDD0]/.test(written)

/** Returns a program's word as it is written, as far as it is known: `$TOOL`. */
const shownName = ({ variable, value = '' }: Partial<ShellWord> = {}) =>
  variable === undefined ? value.replaceAll(unknownPart, '…') : `$${variable}`

export default definePolicy({
  id: 'unknown-deletion',
  severity: 'medium',
  description: 'Asks about deletions, recursive or named by a program, whose target is only known when it is too late',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { access: ['delete'], code: true },
  params: { temporaryFolders },
  decide({ event, shell, params }) {
    const unknown = shell.commands.findIndex(
      ({ program, written, args }) =>
        program === '' &&
        (written?.unresolved === true || written?.pattern !== undefined) &&
        isRecursive(args[0]?.value ?? '') &&
        args.some(({ value }) => isVital(value)),
    )
    if (unknown !== -1) {
      return deny(
        `\`${shownName(shell.commands[unknown]?.written)}\` may be any program, and would work on the whole system: write its name`,
        { at: unknown },
      )
    }
    const found = deletionsIn(shell, event, params.temporaryFolders).find(
      ({ place, path, recursive, certain }) =>
        recursive && (place === 'unknown' || (place === 'temp' && !certain && isBare(path.written))),
    )
    if (found === undefined) {
      const at = shell.commands.findIndex(({ code }) => code?.language !== 'shell' && code?.does.includes('deletes'))
      return at === -1
        ? undefined
        : ask(`\`${shell.commands[at]?.program ?? ''}\` is given a command that deletes everything: remove it`, { at })
    }
    return ask(
      `what \`${found.command.program}\` would delete${/^`.*\w/.test(found.named) ? ` by ${found.named}` : ''} is not known before it runs: ` +
        'write out the path',
      { at: found.at },
    )
  },
  examples: [
    asks('a variable', 'rm -rf "$TARGET"'),
    abstains('a variable that is known', 'TARGET=dist; rm -rf "$TARGET"'),
    asks('output', 'rm -rf $(cat list.txt)'),
    asks('each line of a file', 'while read f; do rm -f "$f"; done < list.txt'),
    abstains('output that is read', 'cat $(cat list.txt)'),
    asks('maybe all of /tmp', 'rm -rf "/tmp/$NAME"'),
    abstains('a name with a part that is not known', 'rm -rf "/tmp/mine-$$"'),
    denies('a program that is not known', '$TOOL -rf /'),
    denies('a program by a pattern', '/bin/r[m] -rf /'),
    abstains('files by a pattern', 'ls -lr /bin/r[m]'),
    abstains('one with harmless arguments', '$TOOL -v src'),
    asks('in code', 'perl -e "rm -rf /"'),
    abstains('other code', 'perl -e "print 1"'),
    abstains('a file', 'rm "$FILE"'),
  ],
})
