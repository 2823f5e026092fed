import { launches } from './launch/index.ts'
import { type Pinned, pins } from './pins.ts'

/** One way in which `hookgate enable` puts itself in front of an agent. */
export interface Setup {
  readonly title: string
  readonly agent: Pinned
  readonly flags: readonly string[]
  /**
   * What the failure matrix has for a gate that is not there: `decides`, by a process of its own, or `refuses`, since
   * nobody answers.
   */
  readonly ifGateDies: 'decides' | 'refuses'
  /** Whether a file of hookgate's is run for each call. */
  readonly needsClient: boolean
  /** What becomes of a call when the very file is gone that the agent was told to run. */
  readonly withoutFile: 'refuses' | 'runs'
  /** Whether another part of the agent reads another folder of hooks. */
  readonly hasOtherFolder: boolean
  /** Whether settings of a project, which may be somebody else's, can keep it from asking. */
  readonly switchesOff: boolean
  /** Whether a person would have to trust the hooks first, which the tests bypass, and `status` says so all the time. */
  readonly awaitsTrust: boolean
}

const byClient = (agent: Pinned, flags: readonly string[] = []): Setup => ({
  title: [agent, pins[agent].version, ...flags].join(' '),
  agent,
  flags,
  ifGateDies: 'decides',
  needsClient: true,
  withoutFile: 'refuses',
  hasOtherFolder: false,
  switchesOff: launches[agent].switchesHooksOff !== undefined,
  awaitsTrust: false,
})

/** Claude Code alone has hooks that are an address. */
const byHttp: Setup = {
  ...byClient('claude-code', ['--via', 'http']),
  ifGateDies: 'refuses',
  needsClient: false,
  withoutFile: 'runs',
}

export const setups: readonly Setup[] = [
  byClient('claude-code'),
  byHttp,
  // To Cline, a file that is gone is no hook.
  { ...byClient('cline'), withoutFile: 'runs', hasOtherFolder: true },
  byClient('gemini-cli'),
  { ...byClient('codex'), awaitsTrust: true },
  byClient('copilot-cli'),
  byClient('qwen-code'),
  byClient('droid'),
  byClient('opencode'),
  byClient('kilo'),
  byClient('grok-build'),
  byClient('kimi-code'),
  byClient('pi'),
  byClient('openclaw'),
]
