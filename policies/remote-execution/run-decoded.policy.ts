import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  type PolicyAnswer,
  type ShellCommand,
  type ShellOutput,
} from 'hookgate/policy'
import { runnersOf } from './flowing.ts'

/** Commands that run encoded text, and others that only decode it. */
const runDecodedExamples = [
  denies('base64', 'echo bHMK | base64 -d | sh'),
  abstains('base64 to be read', 'echo bHMK | base64 -d'),
  denies('together with another option', 'base64 -di x | python3'),
  abstains('encoded', 'base64 x | sh -n'),
  denies('substituted', 'bash -c "$(base64 --decode x)"'),
  abstains('substituted to be shown', 'echo "$(base64 --decode x)"'),
  denies('hexadecimal digits', 'xxd -r -p x | bash'),
  abstains('hexadecimal digits of code', 'xxd x | head'),
  denies('by openssl', 'openssl enc -base64 -d -in x | sh'),
  abstains('a key by openssl', 'openssl rand -hex 8'),
  denies('by PowerShell', 'powershell -enc bABzAA=='),
  abstains('by PowerShell, readable', 'powershell -Command ls'),
  denies('by Python', `python3 -c 'import base64; exec(base64.b64decode("cHJpbnQoMSk="))'`),
  abstains('by Python, to be shown', `python3 -c 'import base64; print(base64.b64decode("YQ=="))'`),
  denies('by another language', 'base64 -d x | jshell'),
  abstains('as the input of a script', 'base64 -d x | node a.js'),
  asks('unpacked', 'zcat install.sh.gz | sh'),
  abstains('unpacked data', 'zcat access.log.gz | grep a'),
  abstains('unpacked where that is allowed', 'zcat install.sh.gz | sh', { params: { askAboutPacked: false } }),
  abstains('said', "echo 'base64 -d x | sh'"),
] as const

/** Returns how the output of a command, or of its code, was hidden before. */
const decodingOf = ({ output, code }: ShellCommand): ShellOutput | undefined =>
  code?.does.includes('decodes') === true && !code.does.includes('evaluates') ? 'decoded' : output

const runnerName = ({ program }: ShellCommand) => (program === '' ? 'the shell' : `\`${program}\``)

export default definePolicy({
  id: 'run-decoded',
  description: 'Refuses to run unreadable code: base64, hexadecimal digits, ciphers',
  severity: 'critical',
  terminalOnly: true,
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'ci', 'container', 'prompt'],
  interest: { impacts: ['decoded-code'], output: ['decoded', 'unpacked'], code: true },
  params: {
    askAboutPacked: {
      type: 'boolean',
      default: true,
      description: 'whether to also ask before running what `gunzip` and the like unpack',
    },
  },
  decide({ shell, impacts, params }) {
    const runnerOf = runnersOf(shell)
    let doubt: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      if (command.code?.encoded === true) {
        return deny(
          `\`${command.program}\` gets an encoded command, which nobody can read: write it out as plain text`,
          { at },
        )
      }
      if (impacts.some(({ area, by }) => area === 'decoded-code' && by === at)) {
        return deny(`\`${command.program}\` decodes text and runs it as code: write out what it should do`, { at })
      }
      const decoding = decodingOf(command)
      if (decoding !== 'decoded' && decoding !== 'unpacked') continue
      const runner = shell.commands[runnerOf(at) ?? -1]
      if (runner === undefined) continue
      if (decoding === 'decoded') {
        return deny(
          `this makes ${runnerName(runner)} run what \`${command.program}\` decodes: write out the command that you mean`,
          { at },
        )
      }
      doubt ??= ask(
        `this makes ${runnerName(runner)} run what \`${command.program}\` produces: write it to a file and read it first`,
        { at },
      )
    }
    return params.askAboutPacked ? doubt : undefined
  },
  examples: runDecodedExamples,
})
