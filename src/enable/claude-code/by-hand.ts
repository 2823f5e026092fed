import { getNodeValue } from 'jsonc-parser'
import { z } from 'zod'
import { type JsonDocument, valueAt } from '../json/document.ts'
import { OwnHandler } from './own-handler.ts'

const Group = z.looseObject({ hooks: z.array(z.unknown()) })
const Command = z.looseObject({ type: z.literal('command'), command: z.string(), args: z.array(z.string()).optional() })

/** Events at which a person has had hookgate asked before there was `enable`. */
export function askedByHand({ root }: JsonDocument): readonly string[] {
  const hooks: unknown = getNodeValue(valueAt(root, 'hooks') ?? root)
  return Object.entries(z.record(z.string(), z.unknown()).safeParse(hooks).data ?? {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : [])
      .flatMap((group) => Group.safeParse(group).data?.hooks ?? [])
      .some((handler) => !OwnHandler.safeParse(handler).success && runsHookgate(handler))
      ? [event]
      : [],
  )
}

function runsHookgate(handler: unknown): boolean {
  const { command, args = [] } = Command.safeParse(handler).data ?? { command: '' }
  return /\bhookgate(?:\.cmd)?["']?\s+run\b/.test([command, ...args].join(' '))
}
