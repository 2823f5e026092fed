import { agentNames, explained } from './agent-names.ts'
import { printDoctor } from './doctor/report.ts'
import { type Command, jsonText, printed } from './command.ts'
import { askedBy } from './enable.ts'
import { agentOf, parseFlags, usage } from './flags.ts'

export const doctor: Command = {
  summary: 'what your agents see when something fails, proved on this machine',
  help: `hookgate doctor: what your agents see when something fails

  hookgate doctor [AGENT] [--json]

Looks at your installation: Node, the gate, who can get at its socket and token, your rules, what failed lately, and
whether your agents ask hookgate. Then everything that can fail is made to fail, for each agent and each way in which
it asks: the gate is away, stuck or busy, rules are broken, hooks are missing, slow, killed or talk nonsense, policies
throw, loop or exhaust their memory, processes die, the disk is full. That takes half a minute for each agent.

All of that happens in a folder of its own, with gates and rules of its own, by your Node and the very file that your
agent runs. Your gate, your rules and your agents' settings stay as they are.

  ok        as it should be
  NOT SAFE  the agent may go ahead where it must not, or nobody is told; what to do stands beside it
  wrong     the agent is stopped, but for another reason than it should be
  unknown   that could not be made to fail here

${explained('  AGENT     ', `${agentNames}; default: all of them`)}
  --json    the same as JSON: ok, findings, and rows with what each agent saw by each way

Exits with 0 where all is as it should be, with 1 where not.

  hookgate doctor
  hookgate doctor cline
`,
  async run({ argv, env, cwd }) {
    const { values, positionals } = parseFlags('doctor', argv, { json: { type: 'boolean' } }, true)
    const [word, ...surplus] = positionals
    if (surplus.length > 0) throw usage('doctor takes one agent, or none for all of them', 'doctor')
    const agent = agentOf('doctor', word)
    const { examine } = await import('../doctor/examine.ts')
    const report = await examine(askedBy({ env, cwd }), agent)
    return printed(values.json === true ? jsonText(report, 2) : printDoctor(report), report.ok ? 0 : 1)
  },
}
