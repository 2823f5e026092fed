import { agentList, explained } from './agent-names.ts'
import { printDoctor } from './doctor/report.ts'
import { type Command, jsonText, printed } from './command.ts'
import { installContextFor } from './enable.ts'
import { agentOf, parseFlags, usage } from './flags.ts'

export const doctor: Command = {
  summary: 'whether hookgate is installed safely, and what your agents see when something fails',
  help: `hookgate doctor: whether hookgate is installed safely, and what your agents see when something fails

  hookgate doctor [AGENT] [--json]

Checks your installation: Node, the gate, who can access its socket and token, your rules, recent failures, and whether
your agents ask hookgate. Then tries on the very file that each agent runs what it answers while the gate is down, stuck
or busy, the rules are malformed, or the file's client is missing. This takes some seconds for each agent.

The failures happen in a temporary folder. Your gate, your rules and your agents' settings are not touched.

  ok        as it should be
  NOT SAFE  the agent may go ahead where it must not; the fix is shown beside it
  wrong     the agent is stopped, but for the wrong reason

${explained('  AGENT     ', `${agentList}; default: all`)}
  --json    the report as JSON: ok, findings, and rows with what each agent saw

Exits with 0 if everything is as it should be, else with 1.

  hookgate doctor
  hookgate doctor cline
`,
  async run({ argv, env, cwd }) {
    const { values, positionals } = parseFlags('doctor', argv, { json: { type: 'boolean' } }, true)
    const [word, ...surplus] = positionals
    if (surplus.length > 0) throw usage('doctor takes one agent, or none to check all of them', 'doctor')
    const agent = agentOf('doctor', word)
    const { examine } = await import('../install/doctor/examine.ts')
    const report = await examine(installContextFor({ env, cwd }), agent)
    return printed(values.json === true ? jsonText(report, 2) : printDoctor(report), report.ok ? 0 : 1)
  },
}
