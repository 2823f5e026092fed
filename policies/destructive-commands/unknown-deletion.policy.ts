import { ask, definePolicy, deny } from 'hookgate/policy'
import { deletionsIn, temporaryFolders } from './deletions.ts'

/** What stands for a program that is not known, and looks like a deletion of everything. */
const isRecursive = (word: string) => /^-[a-z]*r/i.test(word) && !/^-[a-z]*[^rfvid-]/i.test(word)
const isVital = (word: string) =>
  /^(?:\/|~\/?|\/\*|\/(?:bin|boot|etc|home|lib|opt|root|sbin|usr|var)\/?\*?)$/.test(word)

/** Whether nothing but what is not known stands behind the folder: where that is empty, it is the folder itself. */
const isBare = (written: string) => /\/[$\uFDD0]/.test(written)

/** A shell's deletion in code of another language, which may or may not come to a shell. */
const inCode = /\brm\s{1,9}-\w{0,9}[rf]\w{0,9}\s{1,9}(?:--\s{1,9})?(?:\/|~|\$HOME|\*)/

export default definePolicy({
  id: 'unknown-deletion',
  severity: 'medium',
  description: 'Asks about recursive deletions whose target is only known when it is too late',
  on: 'PreToolUse',
  tool: 'shell',
  params: { temporaryFolders },
  decide({ event, shell, params }) {
    const unknown = shell.commands.find(
      ({ program, written, args }) =>
        program === '' &&
        (written?.unresolved === true || written?.pattern !== undefined) &&
        isRecursive(args[0]?.value ?? '') &&
        args.some(({ value }) => isVital(value)),
    )
    if (unknown !== undefined) {
      return deny('an unknown program is told to work on the whole system: write its name')
    }
    const found = deletionsIn(shell, event, params.temporaryFolders).find(
      ({ place, path, recursive, certain }) =>
        recursive && (place === 'unknown' || (place === 'temp' && !certain && isBare(path.written))),
    )
    if (found === undefined) {
      const at = shell.commands.findIndex(
        ({ code }) => code?.text !== undefined && code.language !== 'shell' && inCode.test(code.text),
      )
      return at === -1 ? undefined : ask('this code contains a command that deletes everything: remove it', { at })
    }
    return ask(
      `what ${found.command.program} would delete is not known before it runs (${found.named}): ` +
        'write out the path, or check it first',
      { at: found.at },
    )
  },
  examples: [
    { name: 'a variable', given: { input: { command: 'rm -rf "$TARGET"' } }, want: 'ask' },
    {
      name: 'a variable that is known',
      given: { input: { command: 'TARGET=dist; rm -rf "$TARGET"' } },
      want: 'abstain',
    },
    { name: 'output', given: { input: { command: 'rm -rf $(cat list.txt)' } }, want: 'ask' },
    { name: 'output that is read', given: { input: { command: 'cat $(cat list.txt)' } }, want: 'abstain' },
    { name: 'maybe all of /tmp', given: { input: { command: 'rm -rf "/tmp/$NAME"' } }, want: 'ask' },
    {
      name: 'a name with a part that is not known',
      given: { input: { command: 'rm -rf "/tmp/mine-$$"' } },
      want: 'abstain',
    },
    { name: 'a program that is not known', given: { input: { command: '$TOOL -rf /' } }, want: 'deny' },
    { name: 'a program by a pattern', given: { input: { command: '/bin/r[m] -rf /' } }, want: 'deny' },
    { name: 'files by a pattern', given: { input: { command: 'ls -lr /bin/r[m]' } }, want: 'abstain' },
    { name: 'one with harmless arguments', given: { input: { command: '$TOOL -v src' } }, want: 'abstain' },
    { name: 'in code', given: { input: { command: 'perl -e "rm -rf /"' } }, want: 'ask' },
    { name: 'other code', given: { input: { command: 'perl -e "print 1"' } }, want: 'abstain' },
    { name: 'a file', given: { input: { command: 'rm "$FILE"' } }, want: 'abstain' },
  ],
})
