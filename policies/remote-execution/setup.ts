import { type ShellCommand, type ShellFacts, unknownPart } from 'hookgate/policy'

/** True if everything that a shell is given to run is printed by setup calls of installed programs. */
export function isSetup({ commands, flows }: ShellFacts, at: number): boolean {
  const [given, ...others] = commands[at]?.args ?? []
  const isWhole = given?.value === unknownPart || given?.value.startsWith('/dev/fd/') === true
  const from = flows.filter(({ to }) => to === at).map((flow) => commands[flow.from])
  return isWhole && others.length === 0 && from.length > 0 && from.every((one) => one !== undefined && printsSetup(one))
}

/** A helper of a skill or plugin that an agent has, which prints the variables that the skill's next lines use. */
const ofSkill =
  /\/\.(?:claude|codex|cursor|gemini|agents)\/(?:skills|plugins)\/(?:[\w-]+\/){1,8}(?:bin|scripts)\/[\w-]+$/
const isInstalled = /^(?:\/(?:usr|opt|home\/linuxbrew)\/(?:[\w.-]+\/)*)?[\w-]+$/

function printsSetup({ output, written, args, assignments, elsewhere }: ShellCommand): boolean {
  if (elsewhere === true) return false
  if (args.length === 0 && ofSkill.test(written?.value ?? '')) return true
  return output === 'setup' && assignments.length === 0 && isInstalled.test(written?.value ?? '')
}
