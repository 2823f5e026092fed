import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  type PolicyAnswer,
  setOf,
  type ShellCommand,
  type ShellFacts,
} from 'hookgate/policy'

/** Programs and devices with endless output. */
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
  interest: { access: ['write'] },
  decide({ shell }) {
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const filler = fillerOf(at, shell)
      if (filler === undefined && !(isHuge(command) && grows(command))) continue
      const { program } = filler ?? command
      const reason =
        `${program} would write until the disk is full, which would break every program on this machine: ` +
        'say how much (`head -c 1M`, `count=`)'
      // dd copies a measured amount, so a missing count may be a mere mistake.
      if (!/^g?dd$/.test(program)) return deny(reason, { at })
      question ??= ask(reason, { at })
    }
    return question
  },
  examples: [
    denies('one word without end', 'yes > big'),
    abstains('to a program', 'yes | npm init'),
    abstains('to nowhere', 'yes > /dev/null'),
    abstains('for some time', 'timeout 1 yes > y.txt'),
    abstains('some of it', 'yes | head -5 > y.txt'),
    denies('zeroes', 'cat /dev/zero > big'),
    denies('zeroes, appended', 'cat < /dev/urandom >> big'),
    abstains('nothing', 'cat /dev/null > small'),
    asks('by dd', 'dd if=/dev/zero of=big bs=1M'),
    abstains('so much by dd', 'dd if=/dev/zero of=small bs=1M count=9'),
    denies('by tee', 'yes | tee big'),
    abstains('letters', 'tr -dc a-z < /dev/urandom | head -c 9 > key'),
    denies('more than there is', 'fallocate -l 10T big'),
    abstains('what there is', 'fallocate -l 100M small'),
    abstains('as text', 'echo "yes > big"'),
  ],
})
