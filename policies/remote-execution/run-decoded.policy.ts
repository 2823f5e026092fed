import { type PolicyAnswer, ask, definePolicy, deny } from 'hookgate/policy'
import { decodesAndRuns, isEncodedCommand } from './code.ts'
import { decoders, decodingOf } from './decoders.ts'
import { runDecodedExamples } from './examples/run-decoded.ts'
import { runnersOf } from './flowing.ts'

export default definePolicy({
  id: 'run-decoded',
  description: 'Refuses to run unreadable code: base64, hexadecimal digits, ciphers',
  severity: 'critical',
  terminalOnly: true,
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'ci', 'container', 'prompt'],
  interest: { words: [...decoders, 'powershell pwsh'], code: true },
  params: {
    askAboutPacked: {
      type: 'boolean',
      default: true,
      description: 'whether to also ask before running what `gunzip` and the like unpack',
    },
  },
  decide({ shell, params }) {
    const runnerOf = runnersOf(shell)
    let doubt: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      if (isEncodedCommand(command)) {
        return deny('an encoded command cannot be read before it runs: write it out as plain text', { at })
      }
      if (command.code !== undefined && decodesAndRuns(command.code)) {
        return deny('this code decodes text and runs it: write out what it should do', { at })
      }
      const decoding = decodingOf(command)
      const runner = decoding === undefined ? undefined : shell.commands[runnerOf(at) ?? -1]
      if (runner === undefined) continue
      if (decoding === 'hidden') {
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
