import { type ShellCommand, type ShellFacts, ask, definePolicy, unknownPart } from 'hookgate/policy'
import { isSetup } from './setup.ts'

export default definePolicy({
  id: 'unknown-code',
  description: 'Asks before running something that cannot be known before it runs',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    knownVariables: {
      type: 'strings',
      default: ['SHELL', 'EDITOR', 'VISUAL', 'PAGER', 'PYTHON', 'MAKE', 'CC', 'CXX'],
      description: 'variables that name a well-known program',
    },
  },
  decide({ shell, params }) {
    for (const [at, command] of shell.commands.entries()) {
      const { written, code } = command
      if (isUnknown(command) && !params.knownVariables.includes(written?.variable ?? '')) {
        return ask(`what ${shown(command)} stands for is not known before it runs: write the command out`, { at })
      }
      if (((code !== undefined && code.text === undefined) || isGivenUnknown(command, shell)) && !isSetup(shell, at)) {
        const by = command.program === '' ? 'the shell' : command.program
        return ask(`what ${by} would run here is not known before it runs: write it out, or put it into a file`, { at })
      }
    }
    const [what] = shell.uncertain
    return what === undefined
      ? undefined
      : ask(`what this does cannot be determined: ${what}. Write it in a simpler way`)
  },
  examples: [
    { name: 'a program', given: { input: { command: '$CMD test' } }, want: { effect: 'ask', reason: '$CMD' } },
    { name: 'a program that is set', given: { input: { command: 'CMD=ls; $CMD test' } }, want: 'abstain' },
    { name: 'a text', given: { input: { command: 'eval "$X"' } }, want: 'ask' },
    { name: 'a text that is set', given: { input: { command: 'X="ls -l"; eval "$X"' } }, want: 'abstain' },
    { name: 'what sets a shell up', given: { input: { command: 'eval "$(ssh-agent -s)"' } }, want: 'abstain' },
    { name: 'by a program of the project', given: { input: { command: 'eval "$(./ssh-agent -s)"' } }, want: 'ask' },
    { name: 'completions', given: { input: { command: 'source <(kubectl completion bash)' } }, want: 'abstain' },
    { name: 'with more to it', given: { input: { command: 'eval "$(pyenv init -)$X"' } }, want: 'ask' },
    { name: 'a script', given: { input: { command: 'bash -c "$(make-script)"' } }, want: 'ask' },
    { name: 'a script that is there', given: { input: { command: 'bash -c "make script"' } }, want: 'abstain' },
    { name: 'on stdin', given: { input: { command: 'echo "$X" | sh' } }, want: 'ask' },
    { name: 'on the stdin of another', given: { input: { command: 'echo "$X" | cat' } }, want: 'abstain' },
    { name: 'an argument', given: { input: { command: 'ls "$X"' } }, want: 'abstain' },
    { name: 'a program that is known', given: { input: { command: '"$EDITOR" a.txt' } }, want: 'abstain' },
    { name: 'said', given: { input: { command: `echo 'eval "$X"'` } }, want: 'abstain' },
    {
      name: 'more than is looked at',
      given: { input: { command: `printf '%s\\n' {1..40} | xargs -n1 ls "a$X"` } },
      want: { effect: 'ask', reason: 'more commands than are looked at' },
    },
    { name: 'not too much', given: { input: { command: `printf '%s\\n' {1..9} | xargs -n1 ls` } }, want: 'abstain' },
    {
      name: 'known here',
      given: { input: { command: '$TOOL a' }, params: { knownVariables: ['TOOL'] } },
      want: 'abstain',
    },
  ],
})

/** Whether what a command is given to run is not known at all. A part that is not known is an argument of something. */
function isGivenUnknown({ program, uncertain, args }: ShellCommand, shell: ShellFacts): boolean {
  // What holds for the whole text is asked about as that, below.
  if (uncertain.every((what) => shell.uncertain.includes(what)) || program === '') return false
  const unresolved = args.filter((word) => word.unresolved === true)
  return unresolved.length === 0 || unresolved.some(({ value }) => value.replaceAll(unknownPart, '').trim() === '')
}

const isUnknown = ({ program, written }: ShellCommand) => program === '' && written?.unresolved === true

const shown = ({ written }: ShellCommand) =>
  written?.variable === undefined ? 'the program here' : `$${written.variable}`
