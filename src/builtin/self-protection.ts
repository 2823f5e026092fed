import type { HookEvent } from '../model/event.ts'
import { notApplicable, type Outcome } from '../model/evaluation.ts'
import type { ProtectedPath, SelfProtection } from '../model/rule.ts'
import { type ShellCommand, type TouchedPath, unknownPart } from '../model/shell.ts'
import { quoted } from '../model/text.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import { endsGate } from './ended-gate.ts'
import { controlsHookgate } from './own-commands.ts'
import { byTool, changedPart, guardedFor, type Guarded, type TouchedBy } from './protected-paths.ts'

/** Refuses a call that would change, reconfigure or end hookgate. It has no opinion of any other. */
export function selfProtectionOutcome(protection: SelfProtection, event: HookEvent, facts: ToolFacts): Outcome {
  const { tool } = event
  if (tool === undefined) return notApplicable
  const guarded = guardedFor(protection, event)
  if (tool.kind !== 'shell') {
    const reason = onlyLooks(tool.name, tool.kind) ? undefined : reasonFor(facts.paths, byTool, guarded)
    return reason === undefined ? notApplicable : denied([reason])
  }
  const { commands } = facts.shell
  const gate = {
    ...protection,
    readsState: ({ paths }: ShellCommand) => paths.some((path) => isOfState(path, guarded)),
  }
  const found = commands.flatMap((command, at): readonly (readonly [number, string])[] => {
    if (command.elsewhere === true) return []
    const reason =
      controlsHookgate(command, protection.programs) ??
      (endsGate(at, facts.shell, gate) ? `${quoted(command.program)} would end hookgate’s process` : undefined) ??
      reasonFor(command.paths, touchedBy(command), guarded)
    return reason === undefined ? [] : [[at, reason]]
  })
  const [first] = found
  return first === undefined
    ? notApplicable
    : denied([...new Set(found.map(([, reason]) => reason))], [...new Set(found.map(([at]) => at))])
}

/** @param commands indices of the commands that are refused */
const denied = (reasons: readonly string[], commands: readonly number[] = []): Outcome => ({
  kind: 'applicable',
  effect: 'deny',
  reason: reasons.map((reason) => `${reason}: ${remedy}`).join('\n'),
  ...(commands.length > 0 && { commands }),
  obligations: [],
  advice: [],
})
const remedy = 'a person can do this in a terminal'

const parts: Readonly<Record<ProtectedPath['part'], string>> = {
  rules: 'which holds rules of hookgate',
  state: 'which holds the state of hookgate',
  program: 'which is the program of hookgate',
  settings: 'which decides whether an agent asks hookgate',
}

function reasonFor(paths: readonly TouchedPath[], by: TouchedBy, guarded: Guarded): string | undefined {
  for (const path of paths) {
    const found = changedPart(path, by, guarded)
    if (found !== undefined) return `this would ${verbOf(path)} ${quoted(nameOf(path))}, ${parts[found.part]}`
  }
  return undefined
}

const nameOf = ({ written, absolute = '' }: TouchedPath) =>
  (written === '' ? absolute : written).replaceAll(unknownPart, '…')

function verbOf({ access, metadata }: TouchedPath): string {
  if (access === 'read') return 'link to'
  if (access === 'delete') return 'delete or move'
  return metadata === true ? 'change the rights of' : 'write'
}

function touchedBy({ program, args, paths }: ShellCommand): TouchedBy {
  const sources = paths.filter(({ access, metadata }) => access !== 'write' && metadata !== true)
  const options = args.map(({ value }) => value).filter((word) => word.startsWith('-'))
  return {
    sources: sources.flatMap(({ absolute }) => absolute?.split('/').at(-1) ?? []).map((name) => name.toLowerCase()),
    isGit: program === 'git',
    isLink:
      /^(?:g?ln|link|mklink)$/.test(program) ||
      (/^g?cp$/.test(program) && options.some((option) => /^-[a-zA-Z]*[ls]|^--(?:symbolic-)?link$/.test(option))),
  }
}

const isOfState = (path: TouchedPath, guarded: Guarded) =>
  changedPart({ ...path, access: 'write' }, byTool, guarded)?.part === 'state'

/** Returns true for a tool without a known purpose whose name says that it only looks. */
const onlyLooks = (name: string, kind: string) =>
  (kind === 'mcp' || kind === 'other') &&
  /(?:^|_)(?:read|get|list|search|view|find|stat|info|show|fetch|query|tree|glob|grep|diff|log|status|exists)(?:_|$)/.test(
    name
      .slice(name.lastIndexOf('__') + 1)
      .replaceAll(/(?<=[a-z])(?=[A-Z])|-/g, '_')
      .toLowerCase(),
  )
