import { z } from 'zod'

/** One entry that does not load at these events voids the whole file: measured, and meant so by Claude Code. */
const guarded = ['PreToolUse', 'PermissionRequest']

const common = {
  timeout: z.number().positive().optional(),
  if: z.string().optional(),
  statusMessage: z.string().optional(),
  onFailure: z.enum(['continue', 'block']).optional(),
}
const Handler = z.discriminatedUnion('type', [
  z.looseObject({ ...common, type: z.literal('command'), command: z.string(), args: z.array(z.string()).optional() }),
  z.looseObject({ ...common, type: z.literal('http'), url: z.url() }),
  z.looseObject({
    ...common,
    onFailure: z.unknown(),
    type: z.literal('mcp_tool'),
    server: z.string(),
    tool: z.string(),
  }),
  z.looseObject({ ...common, type: z.literal('prompt'), prompt: z.string() }),
  z.looseObject({ ...common, type: z.literal('agent'), prompt: z.string() }),
])

const list = z.array(z.unknown()).catch([])
const Hooks = z.looseObject({ hooks: z.looseObject({}).optional() })
const Group = z.looseObject({ hooks: list })

/** Why Claude Code does not take a settings file, as far as its hooks are to blame. */
export function unloadable(settings: unknown): readonly string[] {
  const file = Hooks.safeParse(settings)
  if (!file.success) return ['`hooks` is not an object']
  return guarded.flatMap((event) =>
    list.parse(file.data.hooks?.[event]).flatMap((group, groupIndex) =>
      (Group.safeParse(group).data?.hooks ?? []).flatMap((handler, index) => {
        const [wrong] = Handler.safeParse(handler).error?.issues ?? []
        if (wrong === undefined) return []
        const path = [`hooks.${event}[${groupIndex}].hooks[${index}]`, ...wrong.path.map(String)].join('.')
        return [`\`${path}\` does not load`]
      }),
    ),
  )
}
