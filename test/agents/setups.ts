import { type Pinned, pins } from './pins.ts'

/** One way in which `hookgate enable` puts itself in front of an agent. */
export interface Setup {
  readonly title: string
  readonly agent: Pinned
  readonly flags: readonly string[]
  /**
   * What the failure matrix has for a gate that is not there: `decides`, by a process of its own, or `stops`, since nobody
   * answers.
   */
  readonly ifGateDies: 'decides' | 'stops'
  /** Whether a file of hookgate's is run for each call. */
  readonly needsClient: boolean
}

const byClient = (agent: Pinned, flags: readonly string[] = []): Setup => ({
  title: [agent, pins[agent].version, ...flags].join(' '),
  agent,
  flags,
  ifGateDies: 'decides',
  needsClient: true,
})

/** Claude Code alone has hooks that are an address. */
const byHttp: Setup = { ...byClient('claude-code'), ifGateDies: 'stops', needsClient: false }

export const setups: readonly Setup[] = [
  byHttp,
  byClient('claude-code', ['--via', 'command']),
  byClient('cline'),
  byClient('gemini-cli'),
  byClient('codex'),
  byClient('copilot-cli'),
  byClient('qwen-code'),
  byClient('opencode'),
]
