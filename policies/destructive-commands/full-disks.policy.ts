import { ask, definePolicy, deny, type PolicyAnswer, setOf, type ShellCommand, type ShellFacts } from 'hookgate/policy'

/** What never comes to an end. */
const endless = /^(?:if=)?\/dev\/(?:zero|u?random|full)$/
const copiers = setOf(['cat', 'cp', 'gcp', 'dd', 'gdd', 'pv', 'tee', 'base64', 'xxd', 'od', 'tr', 'openssl'])
/** Behind these something ends it, or nothing comes of it. */
const ending = setOf(['head', 'ghead', 'timeout', 'gtimeout'])

const isEndless = (command: ShellCommand): boolean => {
  const words = command.args.map(({ value }) => value)
  if (command.program === 'yes') return !words.some((word) => /^--(?:help|version)$/.test(word))
  if (!copiers.has(command.program) || words.some((word) => word.startsWith('count='))) return false
  const isRead = command.redirections.some(
    ({ operator, descriptor, target }) => operator === '<' && descriptor === 0 && endless.test(target?.value ?? ''),
  )
  return isRead || words.some((word) => endless.test(word))
}

/** A file that grows: no device, and nothing that others read. */
const grows = ({ paths }: ShellCommand) =>
  paths.some(
    ({ access, metadata, written }) =>
      access === 'write' && metadata !== true && !/^\/(?:dev|proc|sys)\//.test(written),
  )

function isTimed({ startedBy }: ShellCommand, { commands }: ShellFacts): boolean {
  const starter = startedBy === undefined ? undefined : commands[startedBy]
  return (
    starter !== undefined && (ending.has(starter.program) || isTimed(starter, { commands, flows: [], uncertain: [] }))
  )
}

/** The command that writes without end into a file: the source itself, or what it is piped into. */
function fillerOf(at: number, shell: ShellFacts): ShellCommand | undefined {
  const source = shell.commands[at]
  if (source === undefined || !isEndless(source) || isTimed(source, shell)) return undefined
  if (grows(source)) return source
  const next = shell.flows.find(({ from, via }) => from === at && via === 'pipe')
  const reader = next === undefined ? undefined : shell.commands[next.to]
  return reader !== undefined && copiers.has(reader.program) && grows(reader) ? reader : undefined
}

/** A size of terabytes, for which no disk is there. */
const huge = /^(?:--(?:length|size|bytes)=?|-[lsc]?)?\+?\d+(?:[TPEZY]i?B?|\d{12,})$|^\d{13,}$/
const sizers = setOf(['fallocate', 'truncate', 'gtruncate', 'head', 'ghead', 'mkfile', 'dd'])
const isHuge = ({ program, args }: ShellCommand) =>
  sizers.has(program) && program !== 'dd' && program !== 'truncate' && args.some(({ value }) => huge.test(value))

export default definePolicy({
  id: 'full-disks',
  severity: 'high',
  description: 'Refuses to write endlessly into a file until the disk is full; asks about dd without a count',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ shell }) {
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const filler = fillerOf(at, shell)
      if (filler === undefined && !(isHuge(command) && grows(command))) continue
      const { program } = filler ?? command
      const reason =
        `${program} would write until the disk is full, which would break every program on this machine: ` +
        'say how much (`head -c 1M`, `count=`)'
      // What somebody forgot with dd, which is there for measured copies, may be the count alone.
      if (!/^g?dd$/.test(program)) return deny(reason, { at })
      question ??= ask(reason, { at })
    }
    return question
  },
  examples: [
    { name: 'one word without end', given: { input: { command: 'yes > big' } }, want: 'deny' },
    { name: 'to a program', given: { input: { command: 'yes | npm init' } }, want: 'abstain' },
    { name: 'to nowhere', given: { input: { command: 'yes > /dev/null' } }, want: 'abstain' },
    { name: 'for some time', given: { input: { command: 'timeout 1 yes > y.txt' } }, want: 'abstain' },
    { name: 'some of it', given: { input: { command: 'yes | head -5 > y.txt' } }, want: 'abstain' },
    { name: 'zeroes', given: { input: { command: 'cat /dev/zero > big' } }, want: 'deny' },
    { name: 'zeroes, appended', given: { input: { command: 'cat < /dev/urandom >> big' } }, want: 'deny' },
    { name: 'nothing', given: { input: { command: 'cat /dev/null > small' } }, want: 'abstain' },
    { name: 'by dd', given: { input: { command: 'dd if=/dev/zero of=big bs=1M' } }, want: 'ask' },
    { name: 'so much by dd', given: { input: { command: 'dd if=/dev/zero of=small bs=1M count=9' } }, want: 'abstain' },
    { name: 'by tee', given: { input: { command: 'yes | tee big' } }, want: 'deny' },
    { name: 'letters', given: { input: { command: 'tr -dc a-z < /dev/urandom | head -c 9 > key' } }, want: 'abstain' },
    { name: 'more than there is', given: { input: { command: 'fallocate -l 10T big' } }, want: 'deny' },
    { name: 'what there is', given: { input: { command: 'fallocate -l 100M small' } }, want: 'abstain' },
    { name: 'as text', given: { input: { command: 'echo "yes > big"' } }, want: 'abstain' },
  ],
})
