import { type PolicyAnswer, type ShellCommand, type ShellOutput, ask, definePolicy, deny } from 'hookgate/policy'
import { runDecodedExamples } from './examples/run-decoded.ts'
import { runnersOf } from './flowing.ts'

/** Returns how the output of a command, or of its code, was hidden before. */
const decodingOf = ({ output, code }: ShellCommand): ShellOutput | undefined =>
  code?.does.includes('decodes') === true && !code.does.includes('evaluates') ? 'decoded' : output

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
        return deny('an encoded command cannot be read before it runs: write it out as plain text', { at })
      }
      if (impacts.some(({ area, by }) => area === 'decoded-code' && by === at)) {
        return deny('this code decodes text and runs it: write out what it should do', { at })
      }
      const decoding = decodingOf(command)
      if (decoding !== 'decoded' && decoding !== 'unpacked') continue
      const runner = shell.commands[runnerOf(at) ?? -1]
      if (runner === undefined) continue
      if (decoding === 'decoded') {
        return deny(
          `this makes ${runner.program || 'the shell'} run what ${command.program} decodes: write out the command that you mean`,
          { at },
        )
      }
      doubt ??= ask(
        `this makes ${runner.program || 'the shell'} run what ${command.program} produces: write it to a file and read it first`,
        { at },
      )
    }
    return params.askAboutPacked ? doubt : undefined
  },
  examples: runDecodedExamples,
})
