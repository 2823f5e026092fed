import { type PolicyAnswer, type ShellCommand, ask, definePolicy, deny } from 'hookgate/policy'
import { downloaders, downloadOf } from './downloads.ts'
import { runDownloadExamples } from './examples/run-downloads.ts'
import { runnersOf, trustedHosts } from './flowing.ts'

/** True if the download is itself the program that is started. */
const isRunItself = (download: ShellCommand, runner: ShellCommand) =>
  download.paths.some(
    ({ access, absolute }) =>
      access === 'write' &&
      absolute !== undefined &&
      runner.paths.some((path) => path.access === 'execute' && path.absolute === absolute),
  )

export default definePolicy({
  id: 'run-downloads',
  description: 'Refuses to run what was just downloaded: `curl … | sh` and everything equivalent',
  severity: 'critical',
  terminalOnly: true,
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: [...downloaders.members, 'tcp udp'], code: true, network: true },
  params: { trustedHosts },
  decide({ shell, params }) {
    const runnerOf = runnersOf(shell)
    let doubt: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const download = downloadOf(command, params.trustedHosts)
      const runs =
        download === undefined || (download.doubtful === true && doubt !== undefined) ? undefined : runnerOf(at)
      const runner = shell.commands[runs ?? -1]
      if (download === undefined || runner === undefined) continue
      const by = runner.program === '' ? 'it' : runner.program
      if (download.doubtful === true) {
        doubt ??= ask(
          `this runs, with ${by}, what it has just downloaded from ${download.host}: read it before you run it`,
          { at },
        )
        continue
      }
      const isItself = isRunItself(command, runner)
      const how = by === 'it' || isItself ? 'this runs' : `this makes ${by} run`
      return deny(`${how} whatever ${download.host} sends: save it to a file, read it, and let the person decide`, {
        at: isItself ? runs : at,
      })
    }
    return doubt
  },
  examples: runDownloadExamples,
})
