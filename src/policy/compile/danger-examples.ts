import { z } from 'zod'
import { dangerExamplesFile } from '../../files/policy-files.ts'
import { EventName, type HookEvent, ToolKind } from '../../model/event.ts'
import { JsonObject } from '../../model/json.ts'
import type { ExampleWant, PolicyDefinition } from '../../model/policy.ts'
import { exampleInput } from '../policy-input.ts'
import { readBuilt } from './compile-library.ts'

/** A tool call that an example of a shipped policy refuses or asks about. */
export const DangerExample = z.strictObject({
  /** The policy's id. */
  policy: z.string(),
  agent: z.string(),
  event: EventName,
  cwd: z.string(),
  kind: ToolKind,
  name: z.string(),
  input: JsonObject,
  paths: z.array(z.string()).readonly(),
  command: z.string().optional(),
  url: z.string().optional(),
})
export type DangerExample = Readonly<z.infer<typeof DangerExample>>

/** Returns the tool calls among a policy's examples that must not pass. */
export function dangersOf(definition: PolicyDefinition): readonly DangerExample[] {
  return definition.examples.flatMap(({ given, want }) => {
    const { event, tool, same = {} } = exampleInput(definition, given)
    if (tool === undefined || !isRestriction(want)) return []
    const text = (field: 'command' | 'url') => {
      const value = tool[field] ?? tool.input[same[field] ?? '']
      return typeof value === 'string' ? { [field]: value } : {}
    }
    const { kind, name, input, paths } = tool
    const { cwd } = event.session
    return [
      {
        policy: definition.id,
        agent: event.agent,
        event: event.name,
        cwd,
        kind,
        name,
        input,
        paths,
        ...text('command'),
        ...text('url'),
      },
    ]
  })
}

function isRestriction(want: ExampleWant): boolean {
  const effect = typeof want === 'string' ? want : want.effect
  return effect === 'deny' || effect === 'ask'
}

/** Reads the calls that the build has collected; `undefined` in a source checkout. */
export function readDangers(): readonly DangerExample[] | undefined {
  return readBuilt(dangerExamplesFile, z.array(DangerExample))
}

/** Makes the event of an example's call, in a project. */
export function eventOfDanger(danger: DangerExample, project = danger.cwd): HookEvent {
  const { kind, name, input, paths, command, url } = danger
  const [path] = paths
  return {
    name: danger.event,
    agent: danger.agent,
    session: { id: 'example', cwd: project },
    workspaceRoots: [project],
    atMs: 0,
    tool: {
      kind,
      name,
      input,
      paths,
      ...(path !== undefined && { path }),
      ...(command !== undefined && { command }),
      ...(url !== undefined && { url }),
    },
    raw: {},
  }
}
