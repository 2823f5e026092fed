import { abstains, ask, asks, definePolicy, denies, deny, type PolicyAnswer } from 'hookgate/policy'
import { gitCallsIn, optionsOf, shown } from './git.ts'

/** Options of subcommands that name a program to run: here, or at the other end. */
const naming: Readonly<Record<string, string>> = {
  clone: 'upload-pack u',
  fetch: 'upload-pack',
  pull: 'upload-pack',
  'fetch-pack': 'upload-pack exec',
  'ls-remote': 'upload-pack exec',
  push: 'receive-pack exec',
  'send-pack': 'receive-pack exec',
  archive: 'exec',
  grep: 'O open-files-in-pager',
  difftool: 'x extcmd',
  'send-email': 'sendmail-cmd to-cmd cc-cmd smtp-server',
  daemon: 'access-hook',
}
const usual = /^(?:|git-(?:upload|receive)-pack|git-upload-archive|less|vim?|code|meld|diff|kdiff3)$/

export default definePolicy({
  id: 'named-programs',
  severity: 'high',
  description: 'Refuses to make git run a script through an option; asks about other programs',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'], with: Object.keys(naming) },
  decide({ shell }) {
    let question: PolicyAnswer | undefined
    for (const call of gitCallsIn(shell)) {
      const names = Object.hasOwn(naming, call.subcommand) ? naming[call.subcommand] : undefined
      if (names === undefined) continue
      const read = optionsOf(call)
      const program = names
        .split(' ')
        .map((name) => read?.value(name))
        .find((word) => word !== undefined && !usual.test(word.value))
      if (program === undefined) continue
      const message = `git ${call.subcommand} would run ${shown(program)}: leave the option out`
      if (/^[./]|[\s;&|`$(]/.test(program.value)) return deny(message, { at: call.at })
      question ??= ask(message, { at: call.at })
    }
    return question
  },
  examples: [
    denies('a script', 'git ls-remote --upload-pack=./x origin'),
    abstains('none', 'git ls-remote origin'),
    denies('a shell command', "git fetch --upload-pack='sh -c x' origin"),
    abstains('the usual one', 'git fetch --upload-pack git-upload-pack origin'),
    denies('a program for what is found', 'git grep --open-files-in-pager=./x a'),
    abstains('what is looked for', 'git grep open-files-in-pager=./x'),
    asks('another program', 'git difftool -x mydiff'),
    abstains('no option of that name', 'git diff -x'),
  ],
})
