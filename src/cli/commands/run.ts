import { join } from 'node:path'
import { lastResort } from '../../agents/last-resort.ts'
import { type Answered, createGate, type Gate } from '../../gate/gate.ts'
import { undecided } from '../../gate/combine/combine.ts'
import { entryFile } from '../../files/program-files.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { gateStartEveryVariable } from '../../service/client/hook-script.ts'
import { depthOf } from '../../hooks/hook-process.ts'
import { agentNamed } from '../start/agent-named.ts'
import { explainedColumn } from '../text/layout.ts'
import { type Command, type Invocation, jsonText, type CommandOutput, usage } from '../command.ts'
import { rememberSandbox, threadsOfRun } from '../start/early-sandbox.ts'
import { ownPlaces } from '../args/own-places.ts'
import { agentList, type DecidingFlags, decidingFlagsWith } from '../args/flags.ts'

export const gatingHelp = `  --rules PATH              a hooks.json, a policy, a Cline hooks folder, a plugin's root, or a folder of any of them;
                            repeatable; trusted, because you named it
  --no-discover             only --rules: not the managed, user and workspace rules
  --trust-workspace         use the workspace's rules without \`hookgate trust\`: for containers and CI
  --timeout S               timeout of hooks that set none; default 30
  --concurrency N           how many hooks run at once; default: twice the cores
  --cline-precedence WHICH  if a global and a project Cline hook have the same name: run \`both\` (what Cline does) or
                            only \`project\` (what its published reference says)`

const decidingHelp = `${explainedColumn(
  '  --agent NAME              ',
  `${agentList}; default: recognized by the event's shape, if unambiguous`,
)}
${gatingHelp}`

export const runCommand: Command = {
  help: `hookgate run: decide one event

  hookgate run [options] < event.json

Reads the event from stdin as the agent sends it, and answers in the agent's own format: one JSON object or nothing on
stdout, and the exit code. Printing nothing means "no opinion".

${decidingHelp}
  --json                    print the verdict itself: decision, reason, context, the slowest rule, and each rule's
                            answer; exits with 2 for a refusal, else with 0
  --debug                   also log what happens to stderr
  --with-gate               start the resident gate too, which sends the record on and fetches bundles

If anything goes wrong (no event, rules that do not parse, a bug), the event is refused if it can be refused; otherwise
a clear error is printed.

  echo '{"session_id":"s","transcript_path":"","cwd":"'$PWD'","hook_event_name":"PreToolUse","tool_name":"Bash",
         "tool_input":{"command":"git push --force"}}' | hookgate run --agent claude-code --json
`,
  async run(invocation) {
    try {
      const { values, words, flags } = decidingFlagsWith('run', invocation.argv, { 'with-gate': { type: 'boolean' } })
      if (words.length > 0) throw usage('run takes no words', 'run')
      if (depthOf(invocation.env) >= limits.depthMax) throw endless
      const answer = await answerOf(invocation, flags)
      return values['with-gate'] === true ? { ...answer, afterwards: withGate(invocation, answer) } : answer
    } catch (error) {
      return refusal(invocation, error)
    }
  },
}

async function answerOf({ argv, stdin, env }: Invocation, flags: DecidingFlags): Promise<CommandOutput> {
  const gate = createGate({
    ...flags.gate,
    env,
    state: ownPlaces(env).folder,
    policyThreads: threadsOfRun,
  })
  try {
    const wire = await stdin
    const answered = await gate.answer(wire, { via: 'run', ...(flags.agent && { agent: flags.agent }) })
    const output = flags.json ? verdictText(answered) : answered
    const debug = flags.debug ? await debugText(gate, wire, flags, answered, env) : ''
    const { stdout, exitCode } = output
    return { stdout, stderr: debug + output.stderr, exitCode, afterwards }
  } finally {
    gate.kill()
  }

  async function afterwards() {
    await Promise.all([gate.endRecording(), rememberSandbox({ argv, env })])
    if (flags.gate.discover !== false) await fetchApart(env)
  }
}

/**
 * Has signed rules that are still missing fetched by a process of its own, to the end: this one ends with its answer, and
 * a slow server would never be waited for.
 */
async function fetchApart(env: Invocation['env']): Promise<void> {
  const [{ bundleInForce }, { placesFor }] = await Promise.all([
    import('../../rules/bundle-rules.ts'),
    import('../../rules/places.ts'),
  ])
  const places = placesFor({ env, stateFolder: ownPlaces(env).folder })
  const inForce = await bundleInForce(places)
  if (inForce?.state.freshness !== 'missing') return
  const { hasJustFailed } = await import('../../gate/first-look.ts')
  if (hasJustFailed(inForce, places.bundlesFolder)) return
  const { startApart } = await import('../../service/client/without-gate.ts')
  startApart(process.execPath, [entryFile('cli/bin'), 'bundle', 'fetch', '--unless-busy'])
}

/** Has a gate started in the background once the answer is written, as a thin client does, but for a gate's own hooks. */
function withGate({ env }: Invocation, { afterwards }: CommandOutput): NonNullable<CommandOutput['afterwards']> {
  return async () => {
    await afterwards?.()
    if (depthOf(env) > 0) return
    const { ensureGateRunning } = await import('../../service/client/without-gate.ts')
    const everyMs = Number(env[gateStartEveryVariable] ?? limits.clientGateStartEveryS) * 1000
    const stamp = join(ownPlaces(env).folder, 'last-start')
    ensureGateRunning({ node: process.execPath, bin: entryFile('cli/bin'), stamp, everyMs })
  }
}

/** Error for a gate that its own hook calls. Otherwise each gate would start the next one: a fork bomb. */
const endless = new HookgateError('usage', 'one of its own hooks keeps calling it', {
  remedy: 'remove `hookgate run` from the hooks that hookgate runs',
})

/** Refuses the event: neither a mistyped flag in an agent's configuration nor a defect of hookgate may let it pass. */
async function refusal({ argv, stdin }: Invocation, error: unknown): Promise<CommandOutput> {
  return lastResort(agentNamed(argv), new TextDecoder().decode(await stdin), errorText(error))
}

function verdictText({ verdict, error }: Answered): CommandOutput {
  const shown = verdict ?? undecided(error)
  return {
    stdout: jsonText(shown),
    stderr: shown.cancel ? `${shown.reason}\n` : '',
    exitCode: shown.cancel ? 2 : 0,
  }
}

async function debugText(
  gate: Gate,
  wire: Uint8Array,
  flags: DecidingFlags,
  { verdict, error }: Answered,
  env: Invocation['env'],
): Promise<string> {
  if (verdict === undefined) return `hookgate: ${errorText(error)}\n`
  const event = await gate.decode(wire, flags.agent && { agent: flags.agent })
  const [{ trace }, { needsShellFacts }, { openEventFacts }] = await Promise.all([
    import('../text/trace.ts'),
    import('../../rules/index.ts'),
    import('../../facts/tool-call.ts'),
  ])
  const rules = await gate.rulesFor(event)
  const found = needsShellFacts(event, rules) ? await openEventFacts()(event, env) : undefined
  return trace(event, rules, verdict, {
    isWhole: true,
    timeoutMs: flags.gate.timeoutMs,
    ...(found && { shell: found.shell }),
  })
}
