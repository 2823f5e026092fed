import {
  abstains,
  ask,
  asks,
  definePolicy,
  quoted,
  type ShellCommand,
  type ShellFacts,
  unknownPart,
} from 'hookgate/policy'

/** True if everything that a shell is given to run is printed by setup calls of installed programs. */
function isSetup({ commands, flows }: ShellFacts, at: number): boolean {
  const [given, ...others] = commands[at]?.args ?? []
  const isWhole = given?.value === unknownPart || given?.value.startsWith('/dev/fd/') === true
  const from = flows.filter(({ to }) => to === at).map((flow) => commands[flow.from])
  return isWhole && others.length === 0 && from.length > 0 && from.every((one) => one !== undefined && printsSetup(one))
}

/** A helper of a skill or plugin that an agent has, which prints the variables that the skill's next lines use. */
const ofSkill =
  /\/\.(?:claude|codex|cursor|gemini|agents)\/(?:skills|plugins)\/(?:[\w-]+\/){1,8}(?:bin|scripts)\/[\w-]+$/
const isInstalled = /^(?:\/(?:usr|opt|home\/linuxbrew)\/(?:[\w.-]+\/)*)?[\w-]+$/

function printsSetup({ output, written, args, assignments, elsewhere }: ShellCommand): boolean {
  if (elsewhere === true) return false
  if (args.length === 0 && ofSkill.test(written?.value ?? '')) return true
  return output === 'setup' && assignments.length === 0 && isInstalled.test(written?.value ?? '')
}

export default definePolicy({
  id: 'unknown-code',
  description: 'Asks before running something that cannot be known before it runs',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { unknown: true },
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
      const isKnown = params.knownVariables.includes(written?.variable ?? '') || hasDefault(command, shell)
      if (isUnknown(command) && !isKnown) {
        return ask(`${shown(command)} is not known before it runs: write the command out`, { at })
      }
      if (((code !== undefined && code.text === undefined) || isGivenUnknown(command, shell)) && !isSetup(shell, at)) {
        const by = command.program === '' ? 'the shell' : `\`${command.program}\``
        return ask(`what ${by} would run here is not known before it runs: write it out, or put it into a file`, { at })
      }
    }
    const [what] = shell.uncertain
    if (what === undefined) return undefined
    // What is not valid may have no command, or others than those that were read.
    const program = /not valid shell/.test(what) ? undefined : shell.commands.find((one) => one.program !== '')?.program
    return ask(
      `what ${program === undefined ? 'this' : `\`${program}\``} does is not known, as ${what}: write it in a simpler way`,
    )
  },
  examples: [
    { name: 'a program', given: { input: { command: '$CMD test' } }, want: { effect: 'ask', reason: '$CMD' } },
    abstains('a program that is set', 'CMD=ls; $CMD test'),
    asks('a text', 'eval "$X"'),
    abstains('a text that is set', 'X="ls -l"; eval "$X"'),
    abstains('what sets a shell up', 'eval "$(ssh-agent -s)"'),
    asks('by a program of the project', 'eval "$(./ssh-agent -s)"'),
    abstains('completions', 'source <(kubectl completion bash)'),
    asks('with more to it', 'eval "$(pyenv init -)$X"'),
    abstains('what a skill says of itself', 'source <(~/.claude/skills/acme/bin/acme-mode 2>/dev/null) || true'),
    asks('what a project says of itself', 'source <(./bin/acme-mode)'),
    asks('a script', 'bash -c "$(make-script)"'),
    abstains('a script that is there', 'bash -c "make script"'),
    asks('on stdin', 'echo "$X" | sh'),
    abstains('on the stdin of another', 'echo "$X" | cat'),
    abstains('an argument', 'ls "$X"'),
    abstains('a program that is known', '"$EDITOR" a.txt'),
    abstains('only printed', `echo 'eval "$X"'`),
    {
      name: 'more than is analyzed',
      given: { input: { command: `printf '%s\\n' {1..40} | xargs -n1 ls "a$X"` } },
      want: { effect: 'ask', reason: 'more commands than are analyzed' },
    },
    abstains('not too much', `printf '%s\\n' {1..9} | xargs -n1 ls`),
    abstains('a program of the environment that has a default', '${PY:-python3} a.py'),
    asks('one that another program names', 'PY=$(curl a.example || echo python3); $PY a.py'),
    abstains('a program that is looked for', 'PY=$(which python3); $PY a.py'),
    abstains('known here', '$TOOL a', { params: { knownVariables: ['TOOL'] } }),
  ],
})

/** True if all of what a command runs is unknown. An unknown part is assumed to be an argument. */
function isGivenUnknown({ program, uncertain, args }: ShellCommand, shell: ShellFacts): boolean {
  // Uncertainties of the whole text are reported below.
  if (uncertain.every((what) => shell.uncertain.includes(what)) || program === '') return false
  const unresolved = args.filter((word) => word.unresolved === true)
  return unresolved.length === 0 || unresolved.some(({ value }) => value.replaceAll(unknownPart, '').trim() === '')
}

const isUnknown = ({ program, written }: ShellCommand) => program === '' && written?.unresolved === true

/** True if a variable of the environment names the program, and a default says which kind it is: `${PY:-python3}`. */
const hasDefault = ({ written, args, place }: ShellCommand, { commands }: ShellFacts) =>
  written?.value === unknownPart &&
  written.variable !== undefined &&
  written.from === undefined &&
  commands.some(
    (one) =>
      one.program !== '' &&
      one.place.start === place.start &&
      one.args.length === args.length &&
      one.args.every(({ value }, at) => value === args[at]?.value),
  )

const shown = ({ written, args }: ShellCommand) =>
  written?.variable === undefined
    ? args[0] === undefined
      ? 'which program this starts'
      : `which program gets ${quoted(args[0].value)}`
    : `what \`$${written.variable}\` stands for`
