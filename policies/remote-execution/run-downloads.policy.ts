import { type PolicyAnswer, type ShellCommand, type ShellFacts, ask, definePolicy, deny } from 'hookgate/policy'
import { type Download, downloadOf } from './downloads.ts'
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

/** Asks about a program that does what a downloaded file says: applies a patch, builds an image, runs a build. */
function obeyed(shell: ShellFacts, from: number, { host }: Download): PolicyAnswer | undefined {
  if (/^(?:localhost|127\.[\d.]+|::1|\[::1\]|0\.0\.0\.0)$/.test(host)) return undefined
  const at = shell.commands.findIndex(({ obeys }) => obeys?.includes(from) === true)
  const program = shell.commands[at]?.program
  if (program === undefined) return undefined
  return ask(`${program} does whatever this file from ${host} says: read it before you use it`, { at })
}

export default definePolicy({
  id: 'run-downloads',
  description: 'Refuses to run what was just downloaded: `curl … | sh` and everything equivalent',
  severity: 'critical',
  terminalOnly: true,
  on: 'PreToolUse',
  tool: 'shell',
  // In CI and containers, tools that are fetched and run are everyday; `planted-code` asks about those in a pipe.
  carried: ['machine', 'recipe', 'prompt'],
  interest: { code: true, network: true },
  params: { trustedHosts },
  decide({ shell, params }) {
    const runnerOf = runnersOf(shell)
    let doubt: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const download = downloadOf(command, params.trustedHosts)
      const runs =
        download === undefined || (download.doubtful === true && doubt !== undefined) ? undefined : runnerOf(at)
      const runner = shell.commands[runs ?? -1]
      if (download !== undefined && download.doubtful !== true && runner === undefined)
        doubt ??= obeyed(shell, at, download)
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
