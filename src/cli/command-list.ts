import { bridgedAgents } from '../service/bridge/agents.ts'
import type { CommandGroup, ListedCommand } from './command.ts'

/** All commands, in the groups of the overview. */
export const commandGroups: Readonly<Record<string, CommandGroup>> = {
  'every day': {
    init: {
      summary: 'protect this machine: find your agents, have each ask hookgate, and prove it',
      load: async () => (await import('./commands/init.ts')).initCommand,
    },
    status: {
      summary: 'whether the resident gate is running, or whether one agent, or every agent, would ask it',
      load: async () => (await import('./commands/status.ts')).statusCommand,
    },
    explain: {
      summary: 'decide one tool call or event and say why: what would run, what each rule says of it',
      load: async () => (await import('./commands/explain.ts')).explainCommand,
    },
    log: {
      summary: 'what was decided: newest last, by agent, project, rule, decision or text',
      load: async () => (await import('./commands/log.ts')).logCommand,
    },
    why: {
      summary: 'why the last refusal, or any other decision: which rule, its file and line, and what lifts it',
      load: async () => (await import('./commands/why.ts')).whyCommand,
    },
    allow: {
      summary: 'let through what was refused: once, for a session, until a day, or always',
      load: async () => (await import('./commands/allow.ts')).allowCommand,
    },
    state: {
      summary: 'what rules have counted in a session: labels, counts, budgets, limits, and the calls that set them',
      load: async () => (await import('./commands/state.ts')).stateCommand,
    },
    approvals: {
      summary: 'answer the calls that wait for a person: list, watch, approve, deny',
      load: async () => (await import('./commands/approvals/approvals.ts')).approvalsCommand,
    },
    stats: {
      summary: 'how many decisions there were, by day, agent, project and rule, and how long they took',
      load: async () => (await import('./commands/stats.ts')).statsCommand,
    },
    ui: {
      summary: 'look at decisions and rules in a browser, and change what is on',
      load: async () => (await import('./commands/ui.ts')).uiCommand,
    },
    doctor: {
      summary: 'whether hookgate is installed safely, and what your agents see when something fails',
      load: async () => (await import('./commands/doctor.ts')).doctorCommand,
    },
    enable: {
      summary: 'have one agent ask hookgate before it acts',
      load: async () => (await import('./commands/enable.ts')).enableCommand,
    },
    disable: {
      summary: 'undo `hookgate enable`, to the byte',
      load: async () => (await import('./commands/enable.ts')).disableCommand,
    },
    uninstall: {
      summary: 'undo all of it: every agent, the preset, the gate, and what hookgate keeps',
      load: async () => (await import('./commands/uninstall.ts')).uninstallCommand,
    },
  },
  rules: {
    packs: {
      summary: 'the presets and packs that come with hookgate, and what each of their rules stops',
      load: async () => (await import('./commands/packs.ts')).packsCommand,
    },
    check: {
      summary: 'every mistake in rules, hooks and policies as file:line:column, and how to fix it',
      load: async () => (await import('./commands/check/check.ts')).checkCommand,
    },
    suggest: {
      summary: 'suggest permissions and exceptions that would have spared the most questions',
      load: async () => (await import('./commands/suggest.ts')).suggestCommand,
    },
    import: {
      summary: "write an agent's own permission rules and hooks into hookgate's hooks.json",
      load: async () => (await import('./commands/import.ts')).importCommand,
    },
    replay: {
      summary: 'decide past tool calls by the rules of today, or by two sets of rules, and show the difference',
      load: async () => (await import('./commands/replay/replay.ts')).replayCommand,
    },
    trust: {
      summary: 'pin the rules of a workspace, so that its hooks run and its policies count in full',
      load: async () => (await import('./commands/trust.ts')).trustCommand,
    },
  },
  policies: {
    new: {
      summary: 'a starting point for a policy, a hook, or the managed file of a machine',
      load: async () => (await import('./commands/new/new.ts')).newCommand,
    },
    test: {
      summary: "run policies' examples, and report uncovered code and surviving mutants",
      load: async () => (await import('./commands/test.ts')).testCommand,
    },
    bench: {
      summary: 'measure what policies cost on their own examples',
      load: async () => (await import('./commands/bench.ts')).benchCommand,
    },
    schema: {
      summary: 'the JSON Schema of hooks.json, with the params of its policies, or of a recorded decision',
      load: async () => (await import('./commands/schema.ts')).schemaCommand,
    },
  },
  teams: {
    bundle: {
      summary: 'signed rules for many machines: keys, bundles, roll-out, and what this machine has of them',
      load: async () => (await import('./commands/bundle/bundle.ts')).bundleCommand,
    },
    machines: {
      summary: 'which machines of a team ask hookgate, and what is wrong with one, by their heartbeats',
      load: async () => (await import('./commands/machines.ts')).machinesCommand,
    },
    serve: {
      summary: 'run the resident gate in the foreground, as CI and containers do',
      load: async () => (await import('./commands/serve.ts')).serveCommand,
    },
  },
  plumbing: {
    run: {
      summary: 'decide one event: the event on stdin, the answer on stdout and in the exit code',
      load: async () => (await import('./commands/run.ts')).runCommand,
    },
    up: {
      summary: 'start the resident gate in the background, unless it is running, and wait until it answers',
      load: async () => (await import('./commands/up.ts')).upCommand,
    },
    down: {
      summary: 'stop the resident gate once it has finished the requests in progress',
      load: async () => (await import('./commands/up.ts')).downCommand,
    },
    emit: {
      summary: 'pass one event on to a local listener, or keep it in a file',
      load: async () => (await import('./commands/emit/emit.ts')).emitCommand,
    },
    completion: {
      summary: 'print the script that completes commands, options, agents, packs, rules and ids in your shell',
      load: async () => (await import('./commands/completion.ts')).completionOf(commandGroups),
    },
    ...Object.fromEntries(
      [...bridgedAgents].map(([agent, { command, title }]) => [command, olderName(command, agent, title)]),
    ),
  },
}

function olderName(name: string, agent: string, title: string): ListedCommand {
  return {
    summary: `with \`--enable\`, \`--disable\` or \`--status\` the same for ${title}; otherwise like \`emit\``,
    load: async () => (await import('./commands/older-names.ts')).olderName(name, agent),
  }
}

/** All commands by their names. */
export const commands: CommandGroup = Object.fromEntries(
  Object.values(commandGroups).flatMap((group) => Object.entries(group)),
)

/** Words that people type for what has another name here, with what to type. */
export const otherWords: Readonly<Record<string, string>> = {
  install: '`hookgate init` protects the agents on this machine, `hookgate enable AGENT` one of them',
  setup: '`hookgate init` protects the agents on this machine',
  update: 'install the newer tarball with `npm install --global TARBALL`, then run `hookgate init`',
  observe:
    '`hookgate init --preset observe` starts so, and `hookgate packs NAME --observe` has a preset or a pack that is on only report',
  start: '`hookgate init` protects the agents on this machine, `hookgate up` starts the resident gate',
  stop: '`hookgate down` stops the resident gate, `hookgate disable AGENT` the questions of an agent',
  remove: '`hookgate uninstall` undoes all of it, `hookgate disable AGENT` one agent',
  upgrade: 'install the newer tarball with `npm install --global TARBALL`, then run `hookgate init`',
  version: '`hookgate --version`',
  list: '`hookgate packs` lists the rules, `hookgate status --list` the agents, `hookgate log` the decisions',
  rules: '`hookgate packs` lists the rules that come with hookgate, `hookgate explain` those in force for a call',
  config: 'edit ~/.config/hookgate/hooks.json, or see `hookgate packs --help`; `hookgate check` reads it',
  deny: '`hookgate approvals deny ID` refuses a call that waits; a rule is written with `hookgate new policy NAME`',
  approve: '`hookgate approvals approve ID` lets a call through that waits, `hookgate allow ID` one that was refused',
}
